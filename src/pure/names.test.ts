import { expect, test } from 'vitest'
import { agentNames, serviceNames } from './names.ts'

test('the name of a Secret tells which agents it may belong to', () => {
  expect(agentNames.ofSecret(agentNames.canonical('biller'))).toEqual(['biller'])
  expect(agentNames.ofSecret(agentNames.replica('biller'))).toEqual(['biller', 'ledger-biller'])
  expect(agentNames.ofSecret(agentNames.earlyReplica('biller'))).toEqual(['biller'])
  expect(agentNames.ofSecret('other')).toEqual([])
})

test('the name of a key list tells its service, and a file of it its agent', () => {
  expect(serviceNames.ofKeyList('ledger-books-auth-keys')).toEqual(['books'])
  expect(serviceNames.ofKeyList('books')).toEqual([])
  expect(serviceNames.ofPublicKeyFile('agent-biller-pubkey.hex')).toEqual(['biller'])
  expect(serviceNames.ofPublicKeyFile('auth-keys.json')).toEqual([])
})
