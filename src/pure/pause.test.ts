import { expect, test } from 'vitest'
import { pausedAnnotation } from './names.ts'
import type { KubeObject } from './object.ts'
import { isPaused, whilePaused } from './pause.ts'
import type { Plan } from './plan.ts'
import { Secret } from './kind.ts'

const anObject = (metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'n', uid: 'u', resourceVersion: '1', ...metadata },
})

test.for([
  { name: 'an object without the annotation is not paused', metadata: {}, paused: false },
  { name: 'any value pauses it', metadata: { annotations: { [pausedAnnotation]: '' } }, paused: true },
  { name: 'a value other than true, too', metadata: { annotations: { [pausedAnnotation]: 'friday' } }, paused: true },
  { name: 'false does not', metadata: { annotations: { [pausedAnnotation]: 'false' } }, paused: false },
  {
    name: 'an object that is being deleted is not held up',
    metadata: { annotations: { [pausedAnnotation]: 'true' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
    paused: false,
  },
])('$name', ({ metadata, paused }) => {
  expect(isPaused(anObject(metadata))).toBe(paused)
})

const ready = { status: 'True', reason: 'Fine', message: 'all is well' } as const
const status = { fields: {}, fieldsWhenFailed: {}, ready, others: [] }
const remove = { do: 'delete', kind: Secret, key: { name: 'n' }, uid: 'u' } as const
const aPlan = (plan: Partial<Plan>): Plan => ({ stage: 'any', steps: [], lookAgain: 'on-change', ...plan })

test('nothing of the plan is done, and the status says that something is left', () => {
  const plan = whilePaused(aPlan({ steps: [[remove]], status }))
  expect(plan.steps).toEqual([])
  expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'Paused' })
  expect(plan.status?.others).toMatchObject([{ type: 'Paused', status: 'True' }])
})

test('what cannot wait is done all the same', () => {
  const plan = whilePaused(aPlan({ steps: [[remove, remove]], urgent: [remove], status }))
  expect(plan.steps).toEqual([[remove]])
  expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'Paused' })
})

test('where nothing is left to do, what is ready stays ready', () => {
  const plan = whilePaused(aPlan({ status }))
  expect(plan.status?.ready).toEqual(ready)
  expect(plan.status?.others).toMatchObject([{ type: 'Paused', status: 'True' }])
})

test('a status that is not ours to write stays unwritten', () => {
  expect(whilePaused(aPlan({ steps: [[remove]] }))).toEqual({ stage: 'any', steps: [], lookAgain: 'on-change' })
})
