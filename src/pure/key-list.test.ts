import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aKey, keyIdOf } from '../../test/fixtures/agent.ts'
import former from '../../test/fixtures/ledger-operator-objects.json' with { type: 'json' }
import workloads from '../../test/fixtures/ledgerservice-workloads.json' with { type: 'json' }
import { keysHashOf, keysListedIn, nobodyEntry, readKeyList, renderKeyList } from './key-list.ts'

const publicKey = Buffer.from(aKey()['pubkey.hex'] ?? '', 'base64').toString()
const keyId = keyIdOf(aKey())

test('a key list tells whose keys are in it, by the files of their public keys', () => {
  const data = {
    'auth-keys.json': '{ "keys": [] }',
    'agent-biller-pubkey.hex': publicKey,
    'agent-auditor-pubkey.hex': `${publicKey.toUpperCase()}\n`,
    [`agent-clerk-${keyId}-pubkey.hex`]: publicKey,
    'other.hex': publicKey,
  }
  expect(keysListedIn(data)).toEqual([
    { agent: 'biller', keyId },
    { agent: 'auditor', keyId },
    { agent: 'clerk', keyId },
  ])
})

test('an entry whose file holds no public key is still an entry', () => {
  expect(keysListedIn({ 'agent-biller-pubkey.hex': 'x' })).toEqual([{ agent: 'biller', keyId: undefined }])
})

/** The list that the former operator left, which is the same in both namespaces. */
const left = former.items.find(({ kind }) => kind === 'ConfigMap') as { data: Record<string, string> } | undefined
const leftData = left?.data ?? {}

describe('LSV-17 a key list of the former operator', () => {
  const entries = readKeyList(leftData)

  test('is read', () => {
    expect(entries).toMatchObject({
      known: [
        { agent: 'auditor', scopes: null, god: true },
        { agent: 'biller', scopes: ['ledger:read', 'ledger:write'], god: false },
      ],
    })
  })

  test('is written again to the byte, whatever the order', () => {
    const known = 'known' in entries ? entries.known : []
    expect(renderKeyList([...known].reverse())).toEqual(leftData)
  })

  test('has the hash that its pods carry', () => {
    const [workload] = workloads.items.filter(({ kind }) => kind === 'StatefulSet')
    const hash = /"ledger.formance.com\/auth-keys-hash":"([0-9a-f]+)"/.exec(JSON.stringify(workload))?.[1]
    expect(keysHashOf('known' in entries ? entries.known : [])).toBe(hash)
  })
})

const leftJson = leftData['auth-keys.json'] ?? ''

/** The list with another value in one field of each entry, as a text of JSON. */
const spoilt = (field: string, value: string): string => {
  const { keys } = JSON.parse(leftJson) as { readonly keys: readonly object[] }
  return JSON.stringify({ keys: keys.map((key) => ({ ...key, [field]: '@' })) }).replaceAll('"@"', value)
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('LSV-17 a key list is not told to say anything', () => {
  test.each([
    ['without its first file', {}],
    ['that is no JSON', { ...leftData, 'auth-keys.json': '{' }],
    ['that has no keys', { 'auth-keys.json': '{}' }],
    ['whose scopes are a text', { ...leftData, 'auth-keys.json': spoilt('scopes', '"ledger:read"') }],
    ['whose scopes are not texts', { ...leftData, 'auth-keys.json': spoilt('scopes', '[1]') }],
    ['whose scopes are nested', { ...leftData, 'auth-keys.json': spoilt('scopes', nested(6000)) }],
    ['whose god is a text', { ...leftData, 'auth-keys.json': spoilt('god', '"true"') }],
    ['whose key id is a number', { ...leftData, 'auth-keys.json': spoilt('keyId', '1') }],
    ['that names a key twice', { ...leftData, 'auth-keys.json': `{"keys":[],${leftJson.slice(1)}` }],
    ['whose keys are no list', { 'auth-keys.json': '{"keys":{"length":1}}' }],
    ['that is a list', { 'auth-keys.json': '[]' }],
    ['that is null', { 'auth-keys.json': 'null' }],
    ['with a key that is null', { 'auth-keys.json': '{"keys":[null]}' }],
    [
      'with a file that every object has',
      { 'auth-keys.json': leftJson.replaceAll(/agent-\w+-pubkey.hex/g, 'constructor') },
    ],
    ['that is larger than any', { ...leftData, 'auth-keys.json': `${' '.repeat(400_000)}${leftJson}` }],
    ['with a file missing', { 'auth-keys.json': leftData['auth-keys.json'] ?? '' }],
    ['with a file that is another key', { ...leftData, 'agent-biller-pubkey.hex': publicKey }],
    [
      'with a file elsewhere',
      { 'auth-keys.json': `{"keys":[{"keyId":"${keyId}","publicKeyFile":"/tmp/key"}]}`, key: publicKey },
    ],
  ])('%s', (_, data) => {
    expect(readKeyList(data)).toHaveProperty('unknown')
  })
})

test('LSV-17 the first key of an agent stands before its others, and no name changes when one is added', () => {
  const first = { agent: 'biller', file: 'agent-biller-pubkey.hex', keyId: 'f', publicKey, scopes: null, god: false }
  const further = { ...first, file: 'agent-biller-a-pubkey.hex', keyId: 'a' }
  const data = renderKeyList([further, first])
  const { keys } = JSON.parse(data['auth-keys.json'] ?? '') as { keys: readonly { keyId: string }[] }

  expect(keys.map((key) => key.keyId)).toEqual(['f', 'a'])
  expect(Object.keys(data)).toEqual(expect.arrayContaining(['agent-biller-pubkey.hex', 'agent-biller-a-pubkey.hex']))
})

test('LSV-22 the key that nobody has is a hash, so that no private half of it was ever made', () => {
  const digest = createHash('sha256').update('holdfast.dev nobody one').digest('hex')
  expect(nobodyEntry('one')).toMatchObject({ publicKey: digest, scopes: [], god: false })
})

test('LSV-22 the key that nobody has is the same for a service at all times, and another for every service', () => {
  expect(nobodyEntry('one')).toEqual(nobodyEntry('one'))
  expect(nobodyEntry('one').publicKey).not.toBe(nobodyEntry('other').publicKey)
  expect(readKeyList(renderKeyList([nobodyEntry('one')]))).toEqual({ known: [nobodyEntry('one')] })
})
