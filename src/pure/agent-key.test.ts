import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import golden from '../../test/fixtures/ledger-operator.json' with { type: 'json' }
import { agentKeyFields, agentKeyOf, agentSeedLength, digestAgentKey } from './agent-key.ts'
import { fingerprint } from './fingerprint.ts'
import { revealToWire } from './secret-text.ts'

const aSeed = fc.uint8Array({ minLength: agentSeedLength, maxLength: agentSeedLength })
const revealedKeyOf = (seed: Uint8Array) => {
  const key = agentKeyOf(seed)
  return { ...key, 'seed.hex': key['seed.hex'].reveal() }
}
const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString()

test('LCA-2 the former operator’s key grows from its seed', () => {
  const { data } = golden.canonical
  expect(revealToWire(agentKeyOf(Buffer.from(decoded(data['seed.hex']), 'hex')))).toEqual(data)
})

test('LCA-2 what is signed with the seed is verified with the public key', () => {
  const key = revealedKeyOf(Buffer.alloc(agentSeedLength, 3))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key['pubkey.hex'], 'hex').toString('base64url') }
  const d = Buffer.from(key['seed.hex'], 'hex').toString('base64url')
  const signature = sign(null, Buffer.from('token'), createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }))
  expect(verify(null, Buffer.from('token'), createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true)
})

test('LCA-2 every key that is made is sound, and its digest holds nothing of the seed but its fingerprint', () => {
  fc.assert(
    fc.property(aSeed, (seed) => {
      const key = revealedKeyOf(seed)
      const digest = digestAgentKey(revealToWire(key))
      expect(digest).toEqual({
        is: 'sound',
        keyId: key['key-id'],
        publicKey: key['pubkey.hex'],
        fingerprints: Object.fromEntries(agentKeyFields.map((field) => [field, fingerprint(key[field])])),
      })
    }),
  )
})

test('LCA-16 a key with any one digit changed is unsound', () => {
  const digit = fc.constantFrom(...'0123456789abcdefABCXz \n'.split(''))
  fc.assert(
    fc.property(aSeed, fc.constantFrom(...agentKeyFields), fc.nat(), digit, (seed, field, n, other) => {
      const key = revealedKeyOf(seed)
      const at = n % key[field].length
      fc.pre(key[field][at] !== other)
      const changed = key[field].slice(0, at) + other + key[field].slice(at + 1)
      expect(digestAgentKey(revealToWire({ ...key, [field]: changed })).is).toBe('unsound')
    }),
  )
})

const sound = revealedKeyOf(Buffer.alloc(agentSeedLength, 1))

test.for([
  { what: 'is empty', data: {}, fault: 'seed.hex is missing or empty' },
  { what: 'has an empty seed', data: { ...sound, 'seed.hex': '' }, fault: 'seed.hex is missing or empty' },
  {
    what: 'has a short seed',
    data: { ...sound, 'seed.hex': 'abcd' },
    fault: 'seed.hex is not 64 lower-case hex digits',
  },
  {
    what: 'has a seed in capitals',
    data: { ...sound, 'seed.hex': 'AB'.repeat(32) },
    fault: 'seed.hex is not 64 lower-case hex digits',
  },
  {
    what: 'has a seed with a newline at its end',
    data: { ...sound, 'seed.hex': `${sound['seed.hex']}\n` },
    fault: 'seed.hex is not 64 lower-case hex digits',
  },
  {
    what: 'has a seed alone',
    data: { 'seed.hex': sound['seed.hex'] },
    fault: 'key-id and pubkey.hex not derived from seed.hex',
  },
  {
    what: 'has another key id',
    data: { ...sound, 'key-id': '0'.repeat(16) },
    fault: 'key-id not derived from seed.hex',
  },
])('LCA-16 a Secret that $what holds no key, and the fault says why without a value', ({ data, fault }) => {
  expect(digestAgentKey(revealToWire(data))).toEqual({ is: 'unsound', fault })
})

test('a key does not show its seed', () => {
  const printed = inspect(agentKeyOf(Buffer.alloc(agentSeedLength, 1)), { showHidden: true })
  expect(printed).toContain('[secret]')
  expect(printed).not.toContain('0101')
})

test('what others put beside a key does not make it unsound', () => {
  expect(digestAgentKey({ ...revealToWire(sound), extra: 'eA==' }).is).toBe('sound')
})
