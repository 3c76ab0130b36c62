import { describe, expect, test } from 'vitest'
import {
  type Consumption,
  keyStateOf,
  type KeyStamp,
  loadableOf,
  podsWithList,
  revisionIn,
  type Workload,
} from './key-rollout.ts'
import { keysRevisionAnnotation, serviceNames } from './names.ts'

const stamp: KeyStamp = { hash: 'now', revision: 2 }

type Status = NonNullable<Workload['status']>

const done: Status = {
  observedGeneration: 5,
  replicas: 3,
  readyReplicas: 3,
  updatedReplicas: 3,
  currentRevision: 'new',
  updateRevision: 'new',
}

const pods = (carried: KeyStamp | undefined, status: Status = done): Workload => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'ledger-main', uid: 'u', resourceVersion: '1', generation: 5 },
  spec: { replicas: 3, template: { metadata: { annotations: carried === undefined ? {} : annotationsOf(carried) } } },
  status,
})

/** A list that was never changed has no revision. */
const annotationsOf = ({ hash, revision }: KeyStamp) => ({
  [serviceNames.keysHash]: hash,
  ...(revision > 0 && { [keysRevisionAnnotation]: String(revision) }),
})

/** A StatefulSet that nobody has looked at yet. */
const blank: Workload = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: pods(undefined).metadata }

const list = { stamp, keyIds: new Set(['listed']) }
const underWay = { ...done, updatedReplicas: 2, currentRevision: 'old' }
const before = { ...stamp, hash: 'before' }

describe('LSV-25 of a key that is listed and one that is not it is said,', () => {
  test.each<[when: string, consumption: Consumption, listed: string | undefined, unlisted: string | undefined]>([
    ['when every pod has the list', { list, workload: pods(stamp) }, 'Loaded', undefined],
    ['while pods are replaced', { list, workload: pods(stamp, underWay) }, 'Published', 'Draining'],
    ['when pods are to be of an earlier list', { list, workload: pods(before) }, 'Published', 'Draining'],
    [
      'when the new template was not seen',
      { list, workload: pods(stamp, { ...done, observedGeneration: 4 }) },
      'Published',
      'Draining',
    ],
    [
      'while a pod is not ready',
      { list, workload: pods(stamp, { ...done, readyReplicas: 2 }) },
      'Published',
      'Draining',
    ],
    ['while a pod is missing', { list, workload: pods(stamp, { ...done, replicas: 2 }) }, 'Published', 'Draining'],
    ['while one pod is too many', { list, workload: pods(stamp, { ...done, replicas: 4 }) }, 'Published', 'Draining'],
    [
      'when revisions differ',
      { list, workload: pods(stamp, { ...done, currentRevision: 'old' }) },
      'Published',
      'Draining',
    ],
    ['when nothing is told of pods', { list, workload: { ...pods(stamp), status: {} } }, 'Published', 'Draining'],
    ['when there are no pods', { list, workload: undefined }, 'Published', undefined],
    ['when pods get no keys', { list, workload: pods(undefined) }, 'Published', undefined],
    ['while pods that had keys are replaced', { list, workload: pods(undefined, underWay) }, 'Published', 'Draining'],
    ['when nothing is said of pods', { list, workload: blank }, 'Published', 'Draining'],
    ['when there is no list', { list: undefined, workload: pods(stamp) }, 'Draining', 'Draining'],
    ['when there is neither', { list: undefined, workload: undefined }, undefined, undefined],
    ['when neither ever was', { list: undefined, workload: pods(undefined) }, undefined, undefined],
  ])('%s', (_, consumption, listed, unlisted) => {
    expect(keyStateOf('listed', consumption)).toBe(listed)
    expect(keyStateOf('unlisted', consumption)).toBe(unlisted)
  })
})

test('LSV-26 a list that was changed and changed back is loaded when pods were made after that', () => {
  const earlier = { ...stamp, revision: stamp.revision - 1 }

  expect(keyStateOf('listed', { list, workload: pods(earlier) })).toBe('Published')
  expect(keyStateOf('unlisted', { list, workload: pods(earlier) })).toBe('Draining')
})

test('LSV-28 a list of the former operator, which has no revision, is loaded', () => {
  const former = { hash: 'former', revision: 0 }

  expect(keyStateOf('listed', { list: { ...list, stamp: former }, workload: pods(former) })).toBe('Loaded')
})

describe('LCA-63 the pods that have the list as it is are', () => {
  test.each<[which: string, consumption: Consumption, count: number, all: number]>([
    ['all of them at the end', { list, workload: pods(stamp) }, 3, 3],
    ['those that were replaced', { list, workload: pods(stamp, underWay) }, 2, 3],
    [
      'none before the new template was seen',
      { list, workload: pods(stamp, { ...done, observedGeneration: 4 }) },
      0,
      3,
    ],
    ['none when pods are to be of an earlier list', { list, workload: pods(before) }, 0, 3],
    ['never more than there shall be', { list, workload: pods(stamp, { ...done, updatedReplicas: 4 }) }, 3, 3],
    ['none without a list', { list: undefined, workload: pods(stamp) }, 0, 3],
    ['none of none while nothing is said of pods', { list, workload: blank }, 0, 0],
    ['none of none without pods', { list, workload: undefined }, 0, 0],
    ['none of none where pods never get keys', { list: undefined, workload: pods(undefined) }, 0, 0],
    ['those that get no keys any more', { list, workload: pods(undefined, underWay) }, 2, 3],
    ['the same when the list is gone too', { list: undefined, workload: pods(undefined, underWay) }, 2, 3],
  ])('%s', (_, consumption, count, all) => {
    expect(podsWithList(consumption)).toEqual({ done: count, all })
  })
})

test.each([
  [undefined, 0],
  ['7', 7],
  ['-1', 0],
  ['1.5', 0],
  ['many', 0],
])('LSV-26 the revision %j counts as %j', (mark, revision) => {
  expect(revisionIn(mark === undefined ? undefined : { [keysRevisionAnnotation]: mark })).toBe(revision)
})

test.each([
  ['there is none', undefined],
  ['nothing is in it', {}],
  ['it is empty', { 'auth-keys.json': '{"keys":[]}' }],
])('LSV-25 of a list nothing is loaded when %s', (_, data) => {
  const metadata = { name: 'ledger-main-auth-keys', uid: 'l', resourceVersion: '1' }
  expect(loadableOf(data && { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })).toBeUndefined()
})
