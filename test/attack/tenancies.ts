import { eventually } from '../../src/dev/eventually.ts'
import type { Account, Stored, StoredCondition } from './account.ts'
import { attacker, victim } from './attacked-cluster.ts'
import { operatorNamespace } from './operator-process.ts'
import { agents, configMaps, ledgerServices, secrets } from './paths.ts'

// A new service or agent is served within so long, also while the machine is busy.
const servedWithinMs = 20_000

const apiVersion = 'ledger.formance.com/v1alpha1'

export const replicaOf = (agent: string): string => `ledger-${agent}-agent-keys`
export const keyListOf = (service: string): string => `ledger-${service}-auth-keys`
export const generationOf = (agent: string, number: number): string =>
  `ledger-${agent}-agent-canonical${number === 1 ? '' : `-${number}`}`

/** A ledger that asks for tokens, and takes those of agents that select its label. */
export const createService = (
  admin: Account,
  { namespace, name, replicas = 1 }: { readonly namespace: string; readonly name: string; readonly replicas?: number },
): Promise<void> =>
  admin.create(ledgerServices(namespace), {
    apiVersion,
    kind: 'LedgerService',
    metadata: { name, labels: { books: name } },
    spec: { auth: { enabled: true }, replicas },
  })

interface AgentWish {
  readonly name: string
  /** The names of the services that take its tokens; none by default. */
  readonly services?: readonly string[]
  readonly namespaces?: readonly string[]
  readonly rotation?: object
}

export const createAgent = (
  admin: Account,
  { name, services = ['none'], namespaces: additionalNamespaces = [], rotation }: AgentWish,
): Promise<void> => {
  const selector = { matchExpressions: [{ key: 'books', operator: 'In', values: services }] }
  const spec = { selector, scopes: ['ledger:read'], additionalNamespaces, ...(rotation && { rotation }) }
  return admin.create(agents(), { apiVersion, kind: 'LedgerClusterAgent', metadata: { name }, spec })
}

export const annotateAgent = (
  admin: Account,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> => admin.patch(agents(name), { metadata: { annotations } })

export const conditionOf = (object: Stored | undefined, type: string): StoredCondition | undefined =>
  object?.status?.conditions?.find((condition) => condition.type === type)

const decoded = (secret: Stored | undefined, field: string): string =>
  Buffer.from(secret?.data?.[field] ?? '', 'base64').toString('latin1')

/** The id of the key that a replica holds; empty when there is none. */
export const keyIn = async (account: Account, namespace: string, agent: string): Promise<string> =>
  decoded(await account.get(secrets(namespace, replicaOf(agent))), 'key-id')

/** Waits until the key is in these namespaces, and returns its id. */
export const servedAgent = async (
  admin: Account,
  { name, namespaces = [attacker] }: Pick<AgentWish, 'name' | 'namespaces'>,
  withinMs = servedWithinMs,
): Promise<string> => {
  let last: Stored | undefined
  const question = () => `agent ${name} serves ${namespaces.join(', ')}; it says ${JSON.stringify(last?.status)}`
  return eventually(
    question,
    async () => {
      last = await admin.get(agents(name))
      const keyId = last?.status?.keyID
      if (keyId === undefined || conditionOf(last, 'Ready')?.status !== 'True') return false
      for (const namespace of namespaces) if ((await keyIn(admin, namespace, name)) !== keyId) return false
      return keyId
    },
    withinMs,
  )
}

/** All that a service's key list says. */
export const keyListText = async (admin: Account, namespace: string, service: string): Promise<string> =>
  JSON.stringify((await admin.get(configMaps(namespace, keyListOf(service))))?.data ?? {})

/** All that every key list of the cluster says. */
export const everyKeyList = async (admin: Account): Promise<string> => {
  const lists = await admin.list('/api/v1/configmaps')
  return JSON.stringify(lists.filter(({ metadata }) => metadata.name.endsWith('-auth-keys')).map(({ data }) => data))
}

export const untilListed = async (
  admin: Account,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  keyId: string,
): Promise<void> => {
  let said = ''
  const question = () => `${namespace}/${name} lists key ${keyId}; it says ${said}`
  const isListed = async () => {
    said = JSON.stringify((await admin.get(ledgerServices(namespace, name)))?.status?.conditions)
    return (await keyListText(admin, namespace, name)).includes(keyId)
  }
  await eventually(question, isListed, servedWithinMs)
}

/** Keys and key lists of those who do not attack. */
export const credentialsOf = async (admin: Account, agent: string, service: string) => ({
  agent: (await admin.get(agents(agent)))?.status?.keyID,
  canonical: (await admin.get(secrets(operatorNamespace, generationOf(agent, 1))))?.data,
  replica: (await admin.get(secrets(victim, replicaOf(agent))))?.data,
  keyList: (await admin.get(configMaps(victim, keyListOf(service))))?.data,
})
