import { describe, expect, test } from 'vitest'
import { key, now, situation, used } from '../../../test/kit/key-situations.ts'
import { courseOf } from '../../pure/generations.ts'
import { aKey, anAgent, anEstablished, anObserved, aSecret, keyIdOf } from '../../../test/fixtures/agent.ts'
import { claimAnnotation, keyIdAnnotation, revokeAnnotation, revokedKeysAnnotation } from '../../pure/names.ts'
import { revocationOf, rotationOf } from './key-conditions.ts'

test('LCA-69 a rotation that waits for a key to retire says so', () => {
  const generations = [1, 2, 3, 4, 5, 6, 7].map((number) => key(number, { retiresAt: now + 1000 }))
  const course = courseOf(situation({ generations: [...generations, used(8)], request: 'may' }))
  const [condition] = rotationOf({ held: [], course })
  expect(condition).toMatchObject({ type: 'RotationComplete', status: 'False', reason: 'RotationWaiting' })
  expect(condition?.message).toContain(
    'this agent already has 8 keys that are accepted; the next key is made when one of them has retired',
  )
})

describe('LCA-63 a revoked key whose Secret is deleted', () => {
  const times = { revokedAt: '2026-01-01T00:00:00Z', droppedAt: '2026-01-01T00:01:00Z' }
  const remembered = JSON.stringify(['aa', 'bb'].map((keyId) => ({ keyId, ...times })))
  const annotations = { [keyIdAnnotation]: keyIdOf(aKey()), [revokedKeysAnnotation]: remembered }
  const { keys } = anEstablished(aSecret('system', { metadata: { annotations } }))
  const conditionsFor = (revoke: string) => {
    const asked = { [claimAnnotation]: 'system', [revokeAnnotation]: revoke }
    return revocationOf(anObserved({ agent: anAgent({ metadata: { annotations: asked } }) }), keys)
  }
  const done = 'key aa left the last pod 1m after it was revoked'

  test('is done, and how long it took is computed from what is remembered', () => {
    expect(conditionsFor('aa')).toEqual([
      { type: 'RevocationComplete', status: 'True', reason: 'Revoked', message: done },
    ])
  })

  test('is not mentioned when the agent does not name it', () => {
    expect(conditionsFor('')).toEqual([])
  })

  test('is mentioned beside a key that the agent does not have', () => {
    const [condition] = conditionsFor('aa,cc')

    expect(condition).toMatchObject({ status: 'False', reason: 'UnknownKey' })
    expect(condition?.message).toMatch(new RegExp(`^key cc shall be revoked, .*; ${done}$`))
  })
})
