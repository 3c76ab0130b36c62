import { describe, expect, test } from 'vitest'
import { aKey, keyIdOf, unread } from '../../../test/fixtures/agent.ts'
import { aGeneration, aMatchedAgent, aSight, listOf, podsWith } from '../../../test/fixtures/key-sight.ts'
import { keysHashOf } from '../../pure/key-list.ts'
import { keysRevisionAnnotation } from '../../pure/names.ts'
import { type KeySight, type KeyWish, keyWishOf } from './key-wish.ts'

const first = keyIdOf(aKey(1))
const second = keyIdOf(aKey(2))
const other = keyIdOf(aKey(3))

const listedBy = ({ list }: KeyWish) => list?.entries.map(({ agent, keyId }) => `${agent ?? 'nobody'} ${keyId}`)
const wishFor = (sight: Partial<KeySight>) => keyWishOf(aSight(sight))

test('LSV-17 every key of an agent that is neither revoked nor ending is listed, each under a name of its own', () => {
  const secrets = [aGeneration(1, { retiresAt: '2020-01-01T00:00:00Z' }), aGeneration(2)]
  expect(wishFor({ agents: [aMatchedAgent({ secrets })] }).list?.entries).toMatchObject([
    { keyId: first, file: 'agent-biller-pubkey.hex' },
    { keyId: second, file: `agent-biller-${second}-pubkey.hex` },
  ])
})

test('LSV-17 a key that is listed under another name keeps it', () => {
  const listed = wishFor({ agents: [aMatchedAgent({ secrets: [aGeneration(2)] })] }).list?.entries ?? []
  const list = listOf(listed.map((entry) => ({ ...entry, file: 'agent-biller-pubkey.hex' })))
  const wish = wishFor({ agents: [aMatchedAgent({ secrets: [aGeneration(2)] })], list })
  expect(wish.isChanged).toBe(false)
})

test('LSV-17 scopes and rights are those that the agent has now', () => {
  const agents = [aMatchedAgent({ scopes: ['ledger:read'], god: true })]
  expect(wishFor({ agents }).list?.entries).toMatchObject([{ scopes: ['ledger:read'], god: true }])
})

describe('LSV-18 what somebody else wrote into the list is taken out', () => {
  const strange = { agent: 'biller', file: `agent-biller-${other}-pubkey.hex`, keyId: other, scopes: null, god: true }
  const publicKey = Buffer.from(aKey(3)['pubkey.hex'] ?? '', 'base64').toString()

  test('when the keys of its agent can be read', () => {
    const wish = wishFor({ agents: [aMatchedAgent()], list: listOf([{ ...strange, publicKey }]) })
    expect(listedBy(wish)).toEqual([`biller ${first}`])
    expect(wish.isNarrowing).toBe(true)
  })

  test('but not a key that the agent itself names: its Secret is what was lost', () => {
    const agents = [aMatchedAgent({ status: { generations: [{ generation: 2, keyID: other, state: 'Retiring' }] } })]
    expect(listedBy(wishFor({ agents, list: listOf([{ ...strange, publicKey }]) }))).toEqual([
      `biller ${first}`,
      `biller ${other}`,
    ])
  })
})

describe('LSV-18 a list is made anew that a ledger might read as another', () => {
  const plain = wishFor({ agents: [aMatchedAgent()] }).list?.entries ?? []
  const { data = {} } = listOf(plain)
  const parsed = JSON.parse(data['auth-keys.json'] ?? '') as { readonly keys: readonly object[] }
  const wishWith = (list: object) =>
    wishFor({
      agents: [aMatchedAgent()],
      list: { ...listOf(plain), data: { ...data, 'auth-keys.json': JSON.stringify(list) } },
    })

  test.each([
    ['it says a thing twice', { keys: [...parsed.keys, ...parsed.keys] }],
    ['it has a second list in other letters', { ...parsed, Keys: [] }],
    ['a key has a right in other letters', { keys: parsed.keys.map((key) => ({ ...key, God: true })) }],
  ])('when %s', (_, list) => {
    expect(wishWith(list)).toMatchObject({ isChanged: true, list: { entries: plain, stamp: { revision: 1 } } })
  })

  test('but not for its layout', () => {
    expect(wishWith(parsed).isChanged).toBe(false)
  })
})

describe('LSV-19 a key leaves the list', () => {
  const list = listOf(
    wishFor({
      agents: [aMatchedAgent(), aMatchedAgent({ name: 'clerk', secrets: [aGeneration(2, { agent: 'clerk' })] })],
    }).list?.entries ?? [],
  )

  test('when its agent is not matched any more', () => {
    const wish = wishFor({ agents: [aMatchedAgent()], list })
    expect(listedBy(wish)).toEqual([`biller ${first}`])
    expect(wish).toMatchObject({ isChanged: true, isNarrowing: true })
  })

  test.each([
    ['it is revoked', { secrets: [aGeneration(1, { revokedAt: '2020-01-01T00:00:00Z' }), aGeneration(2)] }],
    ['it has ended', { secrets: [aGeneration(1, { isEnding: true }), aGeneration(2)] }],
    ['its revocation is asked for', { secrets: [aGeneration(1), aGeneration(2)], revoke: first }],
  ])('when %s', (_, agent) => {
    expect(listedBy(wishFor({ agents: [aMatchedAgent(agent)], list }))).toEqual([`biller ${second}`])
  })

  test('when its revocation is asked for, also while it cannot be read', () => {
    const agents = [aMatchedAgent({ secrets: [aGeneration(1, { key: unread })], revoke: first })]
    expect(listedBy(wishFor({ agents, list }))).toEqual([expect.stringMatching(/^nobody /)])
  })
})

describe('LSV-20 what is listed of an agent stays', () => {
  const listed = wishFor({ agents: [aMatchedAgent()] }).list?.entries ?? []
  const list = listOf(listed)

  test.each([
    ['cannot be read', [aGeneration(1, { key: unread })]],
    ['makes no sense', [aGeneration(1, { key: { known: { is: 'unsound', fault: 'x' } } })]],
    ['is not the one that it is marked with', [aGeneration(1, { keyId: other })]],
    ['is gone', []],
    ['is gone, and only a former one is left', [aGeneration(2, { retiresAt: '2020-01-01T00:00:00Z' })]],
  ] as const)('while its key %s', (_, secrets) => {
    const wish = wishFor({ agents: [aMatchedAgent({ secrets, scopes: ['ledger:write'] })], list })
    expect(listedBy(wish)).toContain(`biller ${first}`)
    expect(wish.list?.entries.find(({ keyId }) => keyId === first)?.scopes).toEqual(['ledger:write'])
    expect(wish.carried).toEqual(['biller'])
  })

  test('and holds up no other agent', () => {
    const agents = [
      aMatchedAgent({ secrets: [aGeneration(1, { key: unread })] }),
      aMatchedAgent({ name: 'clerk', secrets: [aGeneration(2, { agent: 'clerk' })] }),
    ]
    expect(listedBy(wishFor({ agents, list }))).toEqual([`biller ${first}`, `clerk ${second}`])
  })

  test('an agent that has no key yet is told of, and holds up nothing', () => {
    const agents = [aMatchedAgent(), aMatchedAgent({ name: 'clerk', secrets: [] })]
    expect(wishFor({ agents, list })).toMatchObject({ isChanged: false, pending: ['clerk'], carried: [] })
  })
})

describe('LSV-21 a list that', () => {
  const spoilt = { ...listOf([]), data: { 'auth-keys.json': '{' } }
  const hidden = [aMatchedAgent({ secrets: [aGeneration(1, { key: unread })] })]
  const entries = wishFor({ agents: [aMatchedAgent()] }).list?.entries ?? []

  test('makes no sense is made again when all keys can be read', () => {
    const wish = wishFor({ agents: [aMatchedAgent()], list: spoilt, workload: podsWith({ hash: 'x', revision: 3 }) })
    expect(listedBy(wish)).toEqual([`biller ${first}`])
    expect(wish.list?.stamp.revision).toBe(4)
  })

  test('makes no sense is left when one cannot', () => {
    const pods = { hash: 'x', revision: 3 }
    const wish = wishFor({ agents: hidden, list: spoilt, workload: podsWith(pods) })
    expect(wish).toMatchObject({ list: undefined, wiring: pods, isChanged: false })
    expect(wish.left).toMatch(/biller/)
  })

  test('is gone is not made again without the keys that cannot be read', () => {
    expect(wishFor({ agents: hidden, workload: podsWith({ hash: 'x', revision: 0 }) }).left).toMatch(/gone.*biller/)
  })

  test('is gone is put back as it was, and no pod is made anew', () => {
    const pods = { hash: keysHashOf(entries), revision: 5 }
    expect(wishFor({ agents: [aMatchedAgent()], workload: podsWith(pods) }).wiring).toEqual(pods)
  })
})

describe('LSV-22 a ledger that asks for tokens and has no agent', () => {
  test('gets the key that nobody has', () => {
    expect(wishFor({ agents: [] })).toMatchObject({ isNobody: true, list: { entries: [{ agent: undefined }] } })
  })

  test('needs none when it has an issuer', () => {
    const auth = { enabled: true, issuer: 'https://issuer.example' }
    expect(wishFor({ agents: [], spec: { auth } })).toMatchObject({ list: undefined, wiring: undefined })
  })

  test('gets it also with an issuer when its pods are wired already', () => {
    const auth = { enabled: true, issuer: 'https://issuer.example' }
    const workload = podsWith({ hash: 'x', revision: 0 })
    expect(wishFor({ agents: [], spec: { auth }, workload })).toMatchObject({ isNobody: true })
  })

  test('gives it up, without waiting for anything, when an agent comes', () => {
    const list = listOf(wishFor({ agents: [] }).list?.entries ?? [])
    expect(wishFor({ agents: [aMatchedAgent()], list })).toMatchObject({ isNobody: false, isNarrowing: false })
  })
})

describe('LSV-23 a service that asks for no tokens', () => {
  test('gets no list and no keys', () => {
    const wish = wishFor({ agents: [aMatchedAgent()], spec: {} })
    expect(wish).toMatchObject({ isAuthOff: true, list: undefined, wiring: undefined })
  })

  test('keeps the list that it has in step, because pods from before read it, and new ones get none', () => {
    const wish = wishFor({ agents: [aMatchedAgent()], spec: {}, list: listOf([]) })
    expect(listedBy(wish)).toEqual([`biller ${first}`])
    expect(wish.wiring).toBeUndefined()
  })
})

describe('LSV-26 the stamp of a list', () => {
  const entries = wishFor({ agents: [aMatchedAgent()] }).list?.entries ?? []

  test('of a new service has no revision', () => {
    expect(wishFor({ agents: [aMatchedAgent()] }).wiring).toEqual({ hash: keysHashOf(entries), revision: 0 })
  })

  test('of the former operator stays as it is', () => {
    const pods = { hash: keysHashOf(entries), revision: 0 }
    const wish = wishFor({ agents: [aMatchedAgent()], list: listOf(entries), workload: podsWith(pods) })
    expect(wish).toMatchObject({ isChanged: false, wiring: pods })
  })

  test('counts every change, so that none has a stamp of before', () => {
    const list = listOf([], { [keysRevisionAnnotation]: '7' })
    expect(wishFor({ agents: [aMatchedAgent()], list }).wiring?.revision).toBe(8)
  })

  test('does not go back when somebody takes its mark away', () => {
    const pods = { hash: keysHashOf(entries), revision: 7 }
    const wish = wishFor({ agents: [aMatchedAgent()], list: listOf(entries), workload: podsWith(pods) })
    expect(wish.wiring).toEqual(pods)
  })
})

test.each([
  ['a scope', { scopes: ['ledger:read'] }],
  ['god', { god: false }],
])('LSV-24 to take %s away is to take something away', (_, less) => {
  const before = { scopes: ['ledger:read', 'ledger:write'], god: true }
  const list = listOf(wishFor({ agents: [aMatchedAgent(before)] }).list?.entries ?? [])
  expect(wishFor({ agents: [aMatchedAgent({ ...before, ...less })], list }).isNarrowing).toBe(true)
  expect(wishFor({ agents: [aMatchedAgent({ ...before, scopes: [...before.scopes, 'x:y'] })], list })).toMatchObject({
    isNarrowing: false,
    isChanged: true,
  })
})
