import { expect, test } from 'vitest'
import type { PlayedPod } from '../../src/dev/kubelet-pod.ts'
import { type Fate, nextStatus, usualFate } from '../../src/dev/kubelet-status.ts'

const aPod = (more: Partial<PlayedPod> = {}): PlayedPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'a', uid: '0aff1234-0000', resourceVersion: '1' },
  spec: { restartPolicy: 'Always', containers: [{ name: 'main', image: 'app:1' }] },
  status: { phase: 'Pending' },
  ...more,
})
const never = { spec: { ...aPod().spec, restartPolicy: 'Never' } } as const
const early = '2030-01-01T00:00:00.000Z'
const late = '2030-01-01T00:00:09.000Z'

/** The pod after these fates, one at each time. */
const after = (pod: PlayedPod, ...fates: readonly (readonly [Fate, string])[]): PlayedPod =>
  fates.reduce((met, [fate, now]) => ({ ...met, status: nextStatus(met, fate, now) ?? met.status! }), pod)

const isReady = ({ status }: PlayedPod) => status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'

test('a pod that runs is ready, with an address of its own', () => {
  const pod = after(aPod(), ['run', early])
  expect(isReady(pod)).toBe(true)
  expect(pod.status).toMatchObject({ phase: 'Running', startTime: early, podIP: '10.244.10.255' })
  expect(pod.status?.containerStatuses).toMatchObject([{ ready: true, state: { running: { startedAt: early } } }])
})

test.for([
  { fate: 'crash', pod: aPod(), phase: 'Running', exitCode: undefined },
  { fate: 'crash', pod: aPod(never), phase: 'Failed', exitCode: 1 },
  { fate: 'complete', pod: aPod(never), phase: 'Succeeded', exitCode: 0 },
] as const)('a pod whose fate is to $fate is $phase and not ready', ({ fate, pod, phase, exitCode }) => {
  const met = after(pod, ['run', early], [fate, late])
  expect(isReady(met)).toBe(false)
  expect(met.status?.phase).toBe(phase)
  expect(met.status?.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(exitCode)
})

test.for(['run', 'crash', 'complete', 'hold'] as const)('a pod that has met its fate (%s) is left alone', (fate) => {
  const met = after(aPod(), [fate, early])
  expect(nextStatus(met, fate, late)).toBeUndefined()
  const addedByServer = { ...met, status: { ...met.status!, qosClass: 'BestEffort' } }
  expect(nextStatus(addedByServer, fate, late)).toBeUndefined()
})

test('each crash counts, and what stays the same keeps its time', () => {
  const pod = after(aPod(), ['crash', early], ['run', early], ['crash', late], ['run', late])
  expect(pod.status?.containerStatuses).toMatchObject([{ restartCount: 2, lastState: { terminated: { exitCode: 1 } } }])
  expect(pod.status?.conditions).toMatchObject([
    { type: 'PodScheduled', lastTransitionTime: early },
    { type: 'Initialized', lastTransitionTime: early },
    { type: 'ContainersReady', lastTransitionTime: late },
    { type: 'Ready', lastTransitionTime: late },
  ])
})

test('what has ended stays so', () => {
  const pod = after(aPod(never), ['crash', early])
  expect(nextStatus(pod, 'run', late)).toBeUndefined()
})

test('conditions that others keep on a pod stay', () => {
  const theirs = { type: 'example.dev/Served', status: 'True' } as const
  const pod = after(aPod({ status: { phase: 'Pending', conditions: [theirs] } }), ['run', early])
  expect(pod.status?.conditions).toContainEqual(theirs)
})

test('pods of a Job usually complete, all others run', () => {
  const ownedBy = (kind: string) =>
    aPod({
      metadata: {
        ...aPod().metadata,
        ownerReferences: [{ apiVersion: 'v1', kind, name: 'owner', uid: 'owner', controller: true }],
      },
    })
  expect([aPod(), ownedBy('ReplicaSet'), ownedBy('Job')].map(usualFate)).toEqual(['run', 'run', 'complete'])
})
