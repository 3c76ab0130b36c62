// A parent to be killed while it builds: looks for programs with the Go and the cache of the directory it is given.
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { aSearch } from './search.ts'

const [directory = ''] = process.argv.slice(2)
const notHere = () => Promise.reject(new Error('not here'))
const scratch = {
  directory,
  write: notHere,
  script: notHere,
  [Symbol.asyncDispose]: () => Promise.resolve(),
}
await findBinaries(aSearch(scratch))
