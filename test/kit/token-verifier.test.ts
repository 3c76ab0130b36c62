import { expect, test } from 'vitest'
import recorded from '../fixtures/token-vectors.json' with { type: 'json' }
import { signToken, type TrustedKeys, verifyToken } from './token-verifier.ts'

const trusted: TrustedKeys = recorded

interface Vector {
  readonly name: string
  readonly token?: string
  readonly read: number
  readonly write?: number
}

/** Who is told that the ledger exists already was let in. */
const letIn = (status: number | undefined) => (status === 409 ? 201 : status)

// The tokens say that they were signed at that time; one of them ends a second later.
const signedAt = 1_790_000_000

test.for<Vector>(recorded.vectors)('the ledger server’s answer to a token: $name', ({ token, read, write = 401 }) => {
  expect(verifyToken(token, trusted, (signedAt + 60) * 1000)).toEqual({ read, write: letIn(write) })
})

test('a token signed from a bundle is the one that the ledger’s client signs, byte by byte', () => {
  const [first] = recorded.vectors
  expect(signToken(recorded.bundle, { iat: signedAt, exp: 4_102_444_800 })).toBe(first?.token)
})

test('a token has ended in the second in which it expires', () => {
  const token = signToken(recorded.bundle, { exp: signedAt })
  expect(verifyToken(token, trusted, signedAt * 1000 - 1).read).toBe(200)
  expect(verifyToken(token, trusted, signedAt * 1000).read).toBe(401)
})

test('a god key’s bundle signs for everything, and a server that does not call it one refuses', () => {
  const token = signToken({ ...recorded.bundle, scopes: null, god: true })
  const keys = trusted.authKeys.keys.map((key) => ({ ...key, god: true }))
  expect(verifyToken(token, { ...trusted, authKeys: { keys } })).toEqual({ read: 200, write: 201 })
  expect(verifyToken(token, trusted)).toEqual({ read: 401, write: 401 })
})

test('of two entries with one key id the later counts', () => {
  const token = signToken(recorded.bundle)
  const keys = [...trusted.authKeys.keys, ...trusted.authKeys.keys.map((key) => ({ ...key, scopes: ['ledger:read'] }))]
  expect(verifyToken(token, { ...trusted, authKeys: { keys } })).toEqual({ read: 401, write: 401 })
})
