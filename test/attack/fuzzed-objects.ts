import { isDeepStrictEqual } from 'node:util'
import type { Account, Stored } from './account.ts'
import { attacker } from './attacked-cluster.ts'
import { type AttackedKind, attackedKinds } from './fuzz-places.ts'
import { agents } from './paths.ts'

/** One of everything that belongs to an agent and its service, which have the same name. */
type Belongings = Readonly<Record<AttackedKind | 'agent', Stored | undefined>>

export type Snapshot = ReadonlyMap<string, Belongings>

const kinds = Object.keys(attackedKinds) as readonly AttackedKind[]

/** Everything that belongs to these names, by one list of each kind. */
export const snapshotOf = async (admin: Account, names: readonly string[]): Promise<Snapshot> => {
  const collections = kinds.map((kind) => attackedKinds[kind]('x').replace(/\/[^/]*$/, ''))
  const [ofAgents = [], ...lists] = await Promise.all([agents(), ...collections].map((path) => admin.list(path)))
  const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  return new Map(
    names.map((name) => {
      const found = kinds.map((kind, index) => {
        const wanted = nameIn(attackedKinds[kind](name))
        return [kind, lists[index]?.find(({ metadata }) => metadata.name === wanted)] as const
      })
      const agent = ofAgents.find(({ metadata }) => metadata.name === name)
      return [name, { ...Object.fromEntries(found), agent } as Belongings]
    }),
  )
}

/** What is another one when all is well again: the count of changes of a key list, and the address of a new Service. */
const renewed: readonly string[] = ['holdfast.dev/keys-revision', 'clusterIP', 'clusterIPs']

/** Whether all of it is there again; what others have added beside it may stay. */
const contains = (actual: unknown, expected: unknown): boolean => {
  if (Array.isArray(expected))
    return Array.isArray(actual) && expected.every((item) => actual.some((other) => contains(other, item)))
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(expected).every(
    ([key, value]) => renewed.includes(key) || contains((actual as Record<string, unknown>)[key], value),
  )
}

export const isRepaired = (kind: AttackedKind, now: Belongings, before: Belongings): boolean => {
  const [actual, expected] = [now[kind], before[kind]]
  // Nobody repairs what people write.
  if (kind === 'pod' || kind === 'ledgerService') return true
  if (actual === undefined || !contains(actual.metadata.labels ?? {}, expected?.metadata.labels ?? {})) return false
  if (kind === 'keyList') return isDeepStrictEqual(actual.data, expected?.data)
  return contains(actual.data ?? {}, expected?.data ?? {}) && contains(actual.spec ?? {}, expected?.spec ?? {})
}

/** Whether the agent, or the service, says that something is wrong. Without pods no service is ready: that does not count. */
export const isReported = (kind: AttackedKind, { agent, ledgerService }: Belongings): boolean => {
  const { conditions = [] } = (kind === 'replica' ? agent : ledgerService)?.status ?? {}
  return conditions.some(
    ({ status, reason, message }) => status === 'False' && reason !== 'ReplicasNotReady' && message !== '',
  )
}

/** A pod of the ledger, as Kubernetes makes it. */
export const aPod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `ledger-${name}-0`,
    namespace: attacker,
    labels: { 'app.kubernetes.io/name': 'ledger', 'app.kubernetes.io/instance': name },
  },
  spec: { containers: [{ name: 'ledger', image: 'ledger' }] },
})
