import { createPrivateKey, createPublicKey } from 'node:crypto'
import { fingerprint } from './fingerprint.ts'
import { SecretText } from './secret-text.ts'

/** The data keys of every Secret that holds an agent's key, as the ledger's own tools expect them. */
export const agentKeyFields = ['key-id', 'pubkey.hex', 'seed.hex'] as const
export type AgentKeyField = (typeof agentKeyFields)[number]

type AgentKey = Readonly<Record<'key-id' | 'pubkey.hex', string> & Record<'seed.hex', SecretText>>

/** What may be known of an agent's key without holding it: fingerprints of its values, never the values. */
export type AgentKeyDigest = {
  /** Whether the API server lets nobody change what is in the Secret: it is immutable, or of a type that keys are not of. */
  readonly isFixed?: true
} & (
  | {
      readonly is: 'sound'
      readonly keyId: string
      /** In hex. It is no secret: services publish it. */
      readonly publicKey: string
      readonly fingerprints: Readonly<Record<AgentKeyField, string>>
    }
  | { readonly is: 'unsound'; readonly fault: string }
)

/** A Secret as the API server has it: values in base64. */
export interface KeySecret {
  readonly data?: Readonly<Record<string, string>>
  readonly immutable?: boolean
  readonly type?: string
}

/** How many random bytes an agent's key is made of. */
export const agentSeedLength = 32

// An Ed25519 private key in PKCS #8 is this prefix and the seed; a public key in SPKI ends with its 32 bytes.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const publicKeyOf = (seed: Uint8Array): Buffer => {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** The key id that the ledger server knows a key by: the first 8 bytes of its public key's SHA-256. */
export const keyIdOf = (publicKey: Uint8Array): string => fingerprint(publicKey).slice(0, 16)

/** The key that grows from this seed. */
export const agentKeyOf = (seed: Uint8Array): AgentKey => {
  const publicKey = publicKeyOf(seed)
  return {
    'key-id': keyIdOf(publicKey),
    'pubkey.hex': publicKey.toString('hex'),
    'seed.hex': new SecretText(Buffer.from(seed).toString('hex')),
  }
}

const longestValue = 256

/** Checks a Secret's data (as the API server has it: base64) from the seed up, and keeps nothing but fingerprints. */
export const digestAgentKey = (data: Readonly<Record<string, string>>): AgentKeyDigest => {
  // Longer than any of its values: what is not a key need not be decoded.
  const tooLong = agentKeyFields.find((field) => (data[field] ?? '').length > longestValue)
  if (tooLong !== undefined) return { is: 'unsound', fault: `${tooLong} is too long` }
  const decoded = (field: AgentKeyField) => Buffer.from(data[field] ?? '', 'base64').toString('latin1')
  const seed = decoded('seed.hex')
  if (seed === '') return { is: 'unsound', fault: 'seed.hex is missing or empty' }
  if (!/^[0-9a-f]{64}$/.test(seed)) return { is: 'unsound', fault: 'seed.hex is not 64 lower-case hex digits' }
  const derived = agentKeyOf(Buffer.from(seed, 'hex'))
  const wrong = (['key-id', 'pubkey.hex'] as const).filter((field) => decoded(field) !== derived[field])
  if (wrong.length > 0) return { is: 'unsound', fault: `${wrong.join(' and ')} not derived from seed.hex` }
  return {
    is: 'sound',
    keyId: derived['key-id'],
    publicKey: derived['pubkey.hex'],
    fingerprints: {
      'key-id': fingerprint(derived['key-id']),
      'pubkey.hex': fingerprint(derived['pubkey.hex']),
      'seed.hex': fingerprint(seed),
    },
  }
}

/** The type of every Secret that holds a key. */
const keyType = 'Opaque'

/** The same for a whole Secret, and whether its data can be changed. */
export const digestKeySecret = ({ data = {}, immutable = false, type = keyType }: KeySecret): AgentKeyDigest => ({
  ...digestAgentKey(data),
  ...((immutable || type !== keyType) && { isFixed: true }),
})
