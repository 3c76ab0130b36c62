// A parent to be killed while it builds: looks for programs with the Go and the cache of the directory it is given.
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { aSearch } from './search.ts'

const [directory = ''] = process.argv.slice(2)
const scratch = {
  directory,
  script: () => Promise.reject(new Error('not here')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}
await findBinaries(aSearch(scratch))
