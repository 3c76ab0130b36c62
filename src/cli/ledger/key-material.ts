import { type AgentKeyField, digestAgentKey } from '../../pure/agent-key.ts'
import { agentNames, keyIdAnnotation } from '../../pure/names.ts'
import { type KubeObject, keyOf, type ObjectKey, printKey } from '../../pure/object.ts'
import { SecretText } from '../../pure/secret-text.ts'

export interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

/** A key that was read, and where. */
export interface FoundKey {
  readonly secret: ObjectKey
  readonly keyId: string
  readonly publicKey: string
  readonly seed: SecretText
}

/** The key in a Secret, if it holds together and is the one that it should be; else what is wrong with it. */
export const keyIn = (secret: SecretObject, agent: string, wanted: string | undefined): FoundKey | string => {
  const { data = {}, metadata } = secret
  const what = `Secret ${printKey(keyOf(secret))}`
  if (metadata.labels?.[agentNames.label] !== agent) return `${what} is not labelled as a key of agent "${agent}"`
  const digest = digestAgentKey(data)
  if (digest.is === 'unsound') return `${what} does not hold together: ${digest.fault}`
  const expected = [metadata.annotations?.[keyIdAnnotation], wanted].find(
    (keyId) => keyId !== undefined && keyId !== digest.keyId,
  )
  if (expected !== undefined) return `${what} holds key ${digest.keyId}, but the key of agent "${agent}" is ${expected}`
  return {
    secret: keyOf(secret),
    keyId: digest.keyId,
    publicKey: decoded(data, 'pubkey.hex'),
    seed: new SecretText(decoded(data, 'seed.hex')),
  }
}

const decoded = (data: Readonly<Record<string, string>>, field: AgentKeyField): string =>
  Buffer.from(data[field] ?? '', 'base64').toString('latin1')
