import { expect, test } from 'vitest'
import { anObservedService, aWorkload } from '../../../test/fixtures/service.ts'
import type { SeenPod } from './observed.ts'
import { rolloutOf } from './rollout.ts'

/** What a StatefulSet of ours says. */
const all = (count: number) => ({ replicas: count, readyReplicas: count, updatedReplicas: count })

const rollout = (workload: ReturnType<typeof aWorkload> | undefined, pods: readonly SeenPod[] = []) =>
  rolloutOf(anObservedService({ children: { workload }, pods }))

test.each([
  ['there are none yet', undefined, '0/3 replicas ready'],
  ['some are ready', aWorkload({ ...all(3), readyReplicas: 2 }), '2/3 replicas ready'],
  [
    'one is made anew',
    aWorkload({ ...all(3), updatedReplicas: 1, updateRevision: 'two' }),
    '3/3 replicas ready, 1 of them at the newest template',
  ],
  [
    'its controller has not seen the newest template',
    aWorkload({ ...all(3), observedGeneration: 0 }),
    '3/3 replicas ready, 3 of them at the newest template',
  ],
])('LSV-36 replicas are not ready while %s', (_, workload, message) => {
  expect(rollout(workload)).toMatchObject({ isDone: false, message })
})

test('LSV-36 they are when every one of them is, at the newest template', () => {
  expect(rollout(aWorkload(all(3)))).toEqual({ ready: 3, wanted: 3, isDone: true, message: '3/3 replicas ready' })
})

const aPod = (name: string, status: SeenPod['status'], more: Partial<SeenPod['metadata']> = {}): SeenPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'team-a', name, uid: name, resourceVersion: '1', ...more },
  ...(status && { status }),
})

const waiting = (reason: string, message: string, lastState = {}): SeenPod['status'] => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'ledger', state: { waiting: { reason, message } }, lastState }],
})

const crashed = { terminated: { reason: 'Error', exitCode: 3 } }

test.each([
  [
    'has no node',
    { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }] },
    'pod ledger-books-1 has no node: Unschedulable: 0/3 nodes',
  ],
  [
    'has no image',
    waiting('ErrImagePull', 'no such image'),
    'pod ledger-books-1, container ledger: ErrImagePull: no such image',
  ],
  [
    'crashes',
    waiting('CrashLoopBackOff', 'back-off 40s', crashed),
    'pod ledger-books-1, container ledger: CrashLoopBackOff: Error with exit code 3',
  ],
  [
    'has just ended',
    { containerStatuses: [{ name: 'ledger', state: crashed }] },
    'pod ledger-books-1, container ledger: Error with exit code 3',
  ],
])('LSV-36 a rollout that is stuck says so of the pod that %s', (_, status, trouble) => {
  const running = aPod('ledger-books-0', { containerStatuses: [{ name: 'ledger', state: {} }] })
  const pods = [aPod('ledger-books-2', waiting('ErrImagePull', 'later')), aPod('ledger-books-1', status), running]
  expect(rollout(aWorkload({ readyReplicas: 1 }), pods).message).toBe(`1/3 replicas ready; ${trouble}`)
})

test.each([
  ['is on its way', aPod('ledger-books-0', waiting('ContainerCreating', ''))],
  ['is going', aPod('ledger-books-0', waiting('ErrImagePull', 'x'), { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['nobody has looked at yet', aPod('ledger-books-0', undefined)],
])('LSV-36 a pod that %s is no trouble', (_, pod) => {
  expect(rollout(aWorkload(), [pod]).message).toBe('0/3 replicas ready')
})

test('LSV-36 a pod that is not ready is named where nothing worse is known', () => {
  const unready = { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'ledger' }
  const [one, other] = ['ledger-books-1', 'ledger-books-2'].map((name) => aPod(name, { conditions: [unready] }))
  expect(rollout(aWorkload({ readyReplicas: 1 }), [other!, one!]).message).toBe(
    '1/3 replicas ready; pod ledger-books-1 is not ready: ContainersNotReady: ledger',
  )
  const worse = aPod('ledger-books-3', waiting('ErrImagePull', 'no such image'))
  expect(rollout(aWorkload({ readyReplicas: 1 }), [one!, worse]).message).toContain('no such image')
})
