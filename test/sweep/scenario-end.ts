import type { AgentReason } from '../../src/api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { agentNames } from '../../src/pure/names.ts'
import { Secret } from '../../src/pure/kind.ts'
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
  const seen = JSON.stringify(await endOf(suite))
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
  }
}

export const foreignPassword = 'Zm9yZWlnbg=='
