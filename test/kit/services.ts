import { LedgerService } from '../../src/api/ledgerservice.ts'
import { ConfigMap } from '../../src/pure/kind.ts'
import { claimAnnotation, serviceNames } from '../../src/pure/names.ts'
import type { Suite } from './suite.ts'

interface ServiceWish {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly spec?: object
}

export const serviceKey = (suite: Suite, role: string, name = 'books') => ({ namespace: suite.named(role), name })

/** A service that the agent's selector matches, unless it has other labels. */
export const createService = (
  suite: Suite,
  role: string,
  { name, labels = suite.labels, annotations = {}, spec = {}, ...more }: ServiceWish = {},
): Promise<void> =>
  suite.user.create(LedgerService, {
    // Claimed beforehand, so that no other test's operator takes it up.
    metadata: {
      ...serviceKey(suite, role, name),
      labels,
      annotations: { [claimAnnotation]: suite.operatorNamespace, ...annotations },
      ...more,
    },
    spec,
  })

export const deleteService = (suite: Suite, role: string, name?: string): Promise<void> =>
  suite.user.delete(LedgerService, serviceKey(suite, role, name))

export const keyListKey = (suite: Suite, role: string, service = 'books') => ({
  namespace: suite.named(role),
  name: `ledger-${service}-auth-keys`,
})

/** The key list of a service, with a public key of this agent in it. */
export const createKeyList = (suite: Suite, role: string, publicKey: string): Promise<void> => {
  const { label, value } = serviceNames.managedBy
  return suite.user.create(ConfigMap, {
    metadata: { ...keyListKey(suite, role), labels: { ...suite.labels, [label]: value } },
    data: { [`agent-${suite.agentName}-pubkey.hex`]: publicKey, 'auth-keys.json': '{ "keys": [] }' },
  })
}
