import { stringify } from 'yaml'

/** Objects as one stream of YAML, as kubectl takes it. */
export const printDocuments = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')
