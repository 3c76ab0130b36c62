import { createHash } from 'node:crypto'
import { aKey } from '../fixtures/agent.ts'

const agentLabel = 'ledger.formance.com/agent-name'
const managedBy = { 'app.kubernetes.io/managed-by': 'ledger-operator' }

/** JSON that is nested so deep. It is written as text: whoever prints or reads it by recursion runs out of stack. */
export const nestedArrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** Fields that a manager owns, nested so deep. */
export const nestedFields = (depth: number): string => '{"f:a":'.repeat(depth) + '{}' + '}'.repeat(depth)

/** A public key that nobody has the private half of, and its id. */
export const strayKey = (text: string) => {
  const bytes = createHash('sha256').update(text).digest()
  return { hex: bytes.toString('hex'), keyId: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}

/** The files of a key list with one key that holds together, whose scopes are this JSON. */
export const keyListFiles = (agent: string, scopes: string): Readonly<Record<string, string>> => {
  const { hex, keyId } = strayKey(agent)
  const file = `agent-${agent}-pubkey.hex`
  const entry = `{"keyId":"${keyId}","publicKeyFile":"/auth-keys/${file}","scopes":${scopes}}`
  return { 'auth-keys.json': `{"keys":[${entry}]}`, [file]: hex }
}

export const aConfigMap = (name: string, data: Readonly<Record<string, string>>, labels: object = managedBy) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
})

/** The nth key that an attacker has made: its Secret's data, and its id. */
export const plantedKey = (seed: number) => {
  const data = aKey(seed)
  return { data, keyId: Buffer.from(data['key-id'] ?? '', 'base64').toString() }
}

/** A Secret that says that it is this agent's. */
export const aPlantedSecret = (
  agent: string,
  name: string,
  { data = {}, ...more }: { readonly data?: Readonly<Record<string, string>>; readonly finalizers?: readonly string[] },
) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, labels: { [agentLabel]: agent }, ...more }, data })
