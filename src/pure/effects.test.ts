import { expect, test } from 'vitest'
import { type Effect, independently } from './effects.ts'
import { Secret } from './kind.ts'

test('effects that no later step needs say so; an event is never needed', () => {
  const key = { namespace: 'a', name: 'n' }
  const remove: Effect = { do: 'delete', kind: Secret, key, uid: 'u' }
  const event: Effect = { do: 'event', kind: Secret, key, uid: 'u', type: 'Normal', reason: 'Done', note: '' }
  expect(independently([remove, event])).toEqual([{ ...remove, isIndependent: true }, event])
})
