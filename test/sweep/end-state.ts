import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { keyIdAnnotation } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { printConditions, printLedger, printMeta } from './end-of-ledger.ts'
import { Ledger } from '../kit/ledger.ts'
import type { SecretObject, Suite } from '../kit/suite.ts'

/** Everything of a run that should be the same in every run: no uid, version or time, and keys by their order only. */
export const endStateOf = async (suite: Suite): Promise<string> => {
  const agent = await suite.agent()
  const secrets = [...(await suite.secrets())].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const ledgers = await Promise.all(['a', 'b'].map((role) => printLedger(new Ledger(suite, [], role), agent)))
  const printed = JSON.stringify([agent && printAgent(agent), ...secrets.map(printSecret), ...ledgers], null, 1)
  return inOrder(
    printed
      .replaceAll(suite.id, '*')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'some time')
      .replaceAll(/\d+[smhd] after/g, 'some time after'),
  )
}

/** UIDs, ids of keys, and hashes and public keys, by the order in which they are met. */
const inOrder = (text: string): string => {
  const mask = (within: string, form: RegExp, word: string) =>
    [...new Set(within.match(form))].reduce((masked, met, n) => masked.replaceAll(met, `${word}-${n}`), within)
  const uid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
  return mask(mask(mask(text, uid, 'uid'), /\b[0-9a-f]{64}\b/g, 'hash'), /\b[0-9a-f]{16}\b/g, 'key')
}

const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`

const keyIdOf = ({ data }: SecretObject): string | undefined => {
  const digest = digestAgentKey(data ?? {})
  return digest.is === 'sound' ? digest.keyId : undefined
}

const printAgent = (agent: LedgerClusterAgent) => ({
  ...printMeta(agent),
  spec: agent.spec,
  status: { ...agent.status, conditions: printConditions(agent.status?.conditions) },
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
