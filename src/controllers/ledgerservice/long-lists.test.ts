import { expect, test } from 'vitest'
import { anObservedService } from '../../../test/fixtures/service.ts'
import { nobodyEntry, renderKeyList } from '../../pure/key-list.ts'
import { keysOf } from './keys.ts'
import { stageOf } from './stage.ts'
import { statusOf } from './status.ts'

const numbers = Array.from({ length: 150 }, (_, n) => String(n).padStart(3, '0'))

test('LSV-61 of many keys those that drain are listed first', () => {
  const entries = numbers.map((n) => ({ ...nobodyEntry(n), agent: `a${n}`, file: `agent-a${n}-pubkey.hex` }))
  const metadata = { name: 'ledger-books-auth-keys', uid: 'u', resourceVersion: '1' }
  const list = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: renderKeyList(entries) }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'ledger-books-0', uid: 'p', resourceVersion: '1' } }
  const plain = anObservedService({ children: { list }, pods: [pod] })
  const authKeys = numbers.slice(0, 30).map((n) => ({ agent: `z${n}`, keyID: n, state: 'Loaded' as const }))
  const observed = { ...plain, object: { ...plain.object, status: { authKeys } } }

  const { fields } = statusOf(observed, stageOf(observed), keysOf(observed))

  const shown = fields['authKeys'] as readonly { readonly agent: string; readonly state: string }[]
  expect(shown).toHaveLength(100)
  expect(shown.filter(({ state }) => state === 'Draining').map(({ agent }) => agent)).toEqual(
    authKeys.map(({ agent }) => agent),
  )
  expect(fields['authKeyCount']).toBe(180)
})
