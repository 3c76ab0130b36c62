import { z } from 'zod'
import { int32, ruled } from '../define-kind.ts'

/** What Linux takes for a path. */
const longestPath = 4096

/** A text that stays once it is set: the data of a running ledger hangs on it. */
const frozen = (name: string, byDefault: string, longest: number) =>
  ruled(z.string().max(longest).default(byDefault), {
    rule: "oldSelf == '' || self == oldSelf",
    message: `${name} cannot change once it is set`,
  })

/** Who a ledger is among others, and where its processes listen. */
export const identityFields = {
  clusterID: frozen('clusterID', 'default', 1024).describe(
    'Name by which replicas know that they belong together; for good.',
  ),
  bindAddr: frozen('bindAddr', '0.0.0.0:7777', 1024).describe(
    'Address on which a replica listens to the others; for good.',
  ),
  walDir: frozen('walDir', '/data/raft', longestPath).describe('Folder of the write-ahead log; for good.'),
  dataDir: frozen('dataDir', '/data/app', longestPath).describe('Folder of the ledger’s data; for good.'),
  grpcPort: int32().default(8888).describe('Port on which a replica serves gRPC.'),
  httpPort: int32().default(9000).describe('Port on which a replica serves HTTP.'),
}
