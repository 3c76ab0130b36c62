import type { Gate } from '../check/gate.ts'
import { typescriptFiles } from '../check/tree.ts'

/** Names that say nothing about what is inside, so everything ends up inside. */
const banned = new Set(
  ['util', 'helper', 'common', 'misc', 'type', 'manager', 'handler'].flatMap((word) => [word, `${word}s`]),
)

export const names: Gate = {
  name: 'names',
  floor: (tree) => typescriptFiles(tree).length,
  examine({ files }) {
    const faults = files.flatMap((file) => {
      const bad = file.split('/').find((part) => banned.has(part.replace(/\..*$/, '').toLowerCase()))
      return bad === undefined ? [] : [`${file}: "${bad}" names nothing; name it for the thing it holds`]
    })
    return Promise.resolve({ examined: files.length, unit: 'paths', faults })
  },
}
