import { z } from 'zod'
import { bounded, longestText } from './define-kind.ts'
import { auth } from './ledgerservice/auth.ts'
import { bloom } from './ledgerservice/bloom.ts'
import { coldStorage } from './ledgerservice/cold-storage.ts'
import { identityFields } from './ledgerservice/identity.ts'
import { limitFields } from './ledgerservice/limits.ts'
import { modeFields } from './ledgerservice/modes.ts'
import { monitoring } from './ledgerservice/monitoring.ts'
import { networkFields } from './ledgerservice/networking.ts'
import { pebble, readIndex } from './ledgerservice/pebble.ts'
import { persistence } from './ledgerservice/persistence.ts'
import { placementFields } from './ledgerservice/placement.ts'
import { podFields } from './ledgerservice/pods.ts'
import { cache, health, raft, snapshot } from './ledgerservice/raft.ts'
import { signingFields } from './ledgerservice/signing.ts'
import type { status } from './ledgerservice/status.ts'

export { status } from './ledgerservice/status.ts'

const serviceSpec = z.object({
  ...podFields,
  ...placementFields,
  ...identityFields,
  ...modeFields,
  ...limitFields,
  ...signingFields,
  ...networkFields,
  auth,
  pebble,
  readIndex,
  raft,
  snapshot,
  cache,
  health,
  bloom,
  coldStorage,
  monitoring,
  persistence,
})

export const spec = bounded(serviceSpec, longestText)

export type ServiceSpec = z.infer<typeof spec>
export type ServiceStatus = z.infer<typeof status>
