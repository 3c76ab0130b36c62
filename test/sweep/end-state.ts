import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { keyIdAnnotation } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { SecretObject, Suite } from '../kit/suite.ts'
import { foreignAnnotation } from './faults.ts'

/** Everything of a run that should be the same in every run: no uid, version or time, and keys by their order only. */
export const endStateOf = async (suite: Suite): Promise<string> => {
  const agent = await suite.agent()
  const secrets = [...(await suite.secrets())].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const keyIds = [...new Set([agent?.status?.keyID, ...secrets.map(keyIdOf)])].filter((keyId) => keyId !== undefined)
  const masked = JSON.stringify([agent && printAgent(agent), ...secrets.map(printSecret)], null, 1).replaceAll(
    suite.id,
    '*',
  )
  return keyIds.reduce((text, keyId, n) => text.replaceAll(keyId, `key-${n}`), masked)
}

const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`

const keyIdOf = ({ data }: SecretObject): string | undefined => {
  const digest = digestAgentKey(data ?? {})
  return digest.is === 'sound' ? digest.keyId : undefined
}

const printMeta = ({ metadata }: KubeObject) => {
  const { [foreignAnnotation]: _touched, 'holdfast.dev/applied': applied, ...annotations } = metadata.annotations ?? {}
  const { labels, finalizers, generation, deletionTimestamp } = metadata
  const isTerminating = deletionTimestamp !== undefined
  return { labels, finalizers, generation, annotations, isApplied: applied !== undefined, isTerminating }
}

const printAgent = (agent: LedgerClusterAgent) => ({
  ...printMeta(agent),
  spec: agent.spec,
  status: {
    ...agent.status,
    conditions: agent.status?.conditions?.map(({ lastTransitionTime: _, ...condition }) => condition),
  },
})

const printSecret = (secret: SecretObject) => ({
  name: nameOf(secret),
  ...printMeta(secret),
  [keyIdAnnotation]: secret.metadata.annotations?.[keyIdAnnotation],
  type: secret.type,
  immutable: secret.immutable,
  key: keyIdOf(secret),
  fields: Object.keys(secret.data ?? {}).sort(),
})
