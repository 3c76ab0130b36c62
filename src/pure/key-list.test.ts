import { expect, test } from 'vitest'
import { aKey, keyIdOf } from '../../test/fixtures/agent.ts'
import { keysListedIn } from './key-list.ts'

const publicKey = Buffer.from(aKey()['pubkey.hex'] ?? '', 'base64').toString()

test('a key list tells whose keys are in it, by the files of their public keys', () => {
  const data = {
    'auth-keys.json': '{ "keys": [] }',
    'agent-biller-pubkey.hex': publicKey,
    'agent-auditor-pubkey.hex': `${publicKey.toUpperCase()}\n`,
    'other.hex': publicKey,
  }
  const keyId = keyIdOf(aKey())
  expect(keysListedIn(data)).toEqual([
    { agent: 'biller', keyId },
    { agent: 'auditor', keyId },
  ])
})

test('an entry whose file holds no public key is still an entry', () => {
  expect(keysListedIn({ 'agent-biller-pubkey.hex': 'x' })).toEqual([{ agent: 'biller', keyId: undefined }])
})
