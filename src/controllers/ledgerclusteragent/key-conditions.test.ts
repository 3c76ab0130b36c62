import { expect, test } from 'vitest'
import { key, now, situation, used } from '../../../test/kit/key-situations.ts'
import { courseOf } from '../../pure/generations.ts'
import { rotationOf } from './key-conditions.ts'

test('LCA-69 a rotation that waits for a key to retire says so', () => {
  const generations = [1, 2, 3, 4, 5, 6, 7].map((number) => key(number, { retiresAt: now + 1000 }))
  const course = courseOf(situation({ generations: [...generations, used(8)], request: 'may' }))
  const [condition] = rotationOf({ held: [], course })
  expect(condition).toMatchObject({ type: 'RotationComplete', status: 'False', reason: 'RotationWaiting' })
  expect(condition?.message).toContain(
    'this agent already has 8 keys that are accepted; the next key is made when one of them has retired',
  )
})
