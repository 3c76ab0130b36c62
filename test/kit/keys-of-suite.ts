import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames, revokeAnnotation, rotateAnnotation } from '../../src/pure/names.ts'
import type { SecretObject, Suite } from './suite.ts'

/** The Secret that is the agent's nth key. */
export const generation = (suite: Suite, n: number): Promise<SecretObject | undefined> =>
  suite.client.get(Secret, { namespace: suite.operatorNamespace, name: agentNames.generation(suite.agentName, n) })

export const keyIdIn = (secret: SecretObject | undefined): string =>
  Buffer.from(secret?.data?.['key-id'] ?? '', 'base64').toString()

/** What a backup has of a Secret: enough to create it again. */
export const backupOf = ({ metadata, data, type, immutable }: SecretObject) => {
  const { namespace, name, labels, annotations } = metadata
  return { metadata: { namespace, name, labels, annotations }, data, type, immutable }
}

/** Somebody asks for another key. */
export const rotate = (suite: Suite, request: string): Promise<void> => annotate(suite, { [rotateAnnotation]: request })

/** Somebody takes keys back. */
export const revoke = (suite: Suite, ...keyIds: readonly string[]): Promise<void> =>
  annotate(suite, { [revokeAnnotation]: keyIds.join(', ') })

const annotate = (suite: Suite, annotations: Readonly<Record<string, string>>): Promise<void> =>
  suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })

/** What the agent's status says of its keys: generation, state. */
export const statesOf = async (suite: Suite): Promise<readonly string[]> =>
  ((await suite.agent())?.status?.generations ?? []).map(({ generation: n, state }) => `${n} ${state}`)
