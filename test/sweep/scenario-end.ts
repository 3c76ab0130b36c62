import type { AgentReason } from '../../src/api/ledgerclusteragent.ts'
import type { ServiceReason } from '../../src/api/ledgerservice.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { type KeyEntry, keysHashOf, readKeyList } from '../../src/pure/key-list.ts'
import { revisionIn } from '../../src/pure/key-rollout.ts'
import { agentNames } from '../../src/pure/names.ts'
import { Secret } from '../../src/pure/kind.ts'
import { Ledger } from '../kit/ledger.ts'
import type { SecretObject, Suite } from '../kit/suite.ts'

/** How a scenario ends, whatever happens on the way. Roles stand for namespaces. */
export interface End {
  /** Why the agent is ready, or is not; undefined when there is no agent any more. */
  readonly ready: AgentReason | undefined
  /** Who holds the agent's key; `operator` has the canonical. */
  readonly holders: readonly string[]
  /** Who has a Secret of that name which is somebody else's. */
  readonly foreign: readonly string[]
  /** Whose copy still has what somebody wrote on it before. */
  readonly annotated: readonly string[]
  /** What has become of the agent's keys, where that is the matter. */
  readonly generations?: readonly string[]
  /** The same of the service's key list and pods. */
  readonly ledger?: LedgerEnd
}

export interface LedgerEnd {
  /** The generations whose keys are listed; `nobody` has the key that nobody has. */
  readonly listed: readonly string[]
  /** Whether the pods are made with the list as it is. */
  readonly isStamped: boolean
  /** Why the service is ready, or is not. */
  readonly ready: ServiceReason | undefined
  /** How often the list has changed, where timing makes no difference. */
  readonly revision?: number
}

/** On every copy before a scenario begins: it is nobody's business but its writer's. */
const keptAnnotation = 'example.com/kept'

export const annotateCopies = async (suite: Suite): Promise<void> => {
  const copies = (await suite.secrets()).filter(({ metadata }) => metadata.name === agentNames.replica(suite.agentName))
  const change = { metadata: { annotations: { [keptAnnotation]: 'yes' } } }
  await Promise.all(copies.map(({ metadata }) => suite.user.patch(Secret, metadata, change)))
}

/** In what the suite's end is another; nothing when it is this one. */
export const departuresFrom = async (end: End, suite: Suite): Promise<readonly string[]> => {
  const { generations, ...rest } = await endOf(suite)
  const ledger = end.ledger && (await ledgerEndOf(suite, end.ledger))
  const seen = JSON.stringify({ ...rest, ...(end.generations && { generations }), ...(ledger && { ledger }) })
  const expected = JSON.stringify(end)
  return seen === expected ? [] : [`it ends with ${seen} instead of ${expected}`]
}

const endOf = async (suite: Suite): Promise<End> => {
  const agent = await suite.agent()
  const secrets = await suite.secrets()
  const ready = agent?.status?.conditions?.find(({ type }) => type === 'Ready')
  const keyId = agent?.status?.keyID
  const rolesOf = (isMeant: (secret: SecretObject) => boolean) =>
    secrets
      .filter(isMeant)
      .map(({ metadata }) => (metadata.namespace ?? '').replace(`-${suite.id}`, ''))
      .sort()
  const holds = ({ data = {} }: SecretObject) => {
    const digest = digestAgentKey(data)
    return digest.is === 'sound' && digest.keyId === keyId
  }
  return {
    ready: ready?.reason as AgentReason | undefined,
    holders: rolesOf(holds),
    foreign: rolesOf(({ data }) => data?.['password'] === foreignPassword),
    annotated: rolesOf(({ metadata }) => metadata.annotations?.[keptAnnotation] === 'yes'),
    generations: (agent?.status?.generations ?? []).map(({ generation, state }) => `${generation} ${state}`),
  }
}

const ledgerEndOf = async (suite: Suite, expected: LedgerEnd): Promise<LedgerEnd> => {
  const ledger = new Ledger(suite)
  const [list, pods, ready] = [await ledger.list(), await ledger.stamp(), await ledger.condition()]
  const read = readKeyList(list?.data ?? {})
  const entries = 'known' in read ? read.known : []
  const generations = (await suite.agent())?.status?.generations ?? []
  const nameOf = ({ agent, keyId }: KeyEntry) => {
    const { generation } = generations.find(({ keyID }) => keyID === keyId) ?? {}
    return agent === undefined ? 'nobody' : String(generation)
  }
  const revision = revisionIn(list?.metadata.annotations)
  return {
    listed: entries.map(nameOf),
    isStamped: pods?.hash === keysHashOf(entries) && pods.revision === revision,
    ready: ready?.reason as ServiceReason | undefined,
    ...(expected.revision !== undefined && { revision }),
  }
}

export const foreignPassword = 'Zm9yZWlnbg=='
