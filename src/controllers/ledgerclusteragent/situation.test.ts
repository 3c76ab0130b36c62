import { expect, test } from 'vitest'
import { anAgent, anObserved } from '../../../test/fixtures/agent.ts'
import { days, minutes } from '../../pure/duration.ts'
import { situationOf } from './situation.ts'

test.each([
  ['1s', minutes(60)],
  ['59m59s', minutes(60)],
  ['2h', minutes(120)],
  ['90d', days(90)],
  // Stored before there was a minimum, it asked for no rotation.
  ['0d', undefined],
  ['soon', undefined],
])('LCA-68 an agent that says %s is rotated no more often than every hour', (every, age) => {
  const agent = { ...anAgent(), spec: { selector: {}, rotation: { every } } }
  expect(situationOf(anObserved({ agent }), []).every).toBe(age)
})
