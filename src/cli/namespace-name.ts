import { InvalidArgumentError } from 'commander'

/** Takes the name of a namespace from a command line. */
export const namespaceName = (name: string): string => {
  if (name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return name
  throw new InvalidArgumentError('It is no name of a namespace.')
}

/** The same for an option that may be given again. */
export const eachNamespace = (name: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  namespaceName(name),
]
