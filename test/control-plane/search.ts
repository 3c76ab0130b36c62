import { join } from 'node:path'
import type { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import type { ReleaseSites } from '../../src/dev/control-plane/release-sites.ts'
import type { Scratch } from './scratch.ts'

// Nobody listens on port 1: the answer is a refusal, at once, as on a machine without a network.
const nowhere: ReleaseSites = {
  kubernetes: 'http://127.0.0.1:1',
  etcd: 'http://127.0.0.1:1',
  envtestIndex: 'http://127.0.0.1:1/index.yaml',
}

/** A search with an empty cache, no network, and no Go but what the test put into the scratch directory. */
export const aSearch = (scratch: Scratch): Parameters<typeof findBinaries>[0] => ({
  assets: undefined,
  cacheDirectory: join(scratch.directory, 'cache'),
  path: scratch.directory,
  controllerManager: true,
  say: () => undefined,
  sites: nowhere,
})
