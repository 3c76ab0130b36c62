import { expect, test } from 'vitest'
import { anEntry } from '../../../test/fixtures/agent.ts'
import { plannedPods } from './planned-pods.ts'

const metadata = { namespace: 'a', name: 'db' }

const templateWith = (image: string, env: readonly string[] = []) => ({
  spec: { containers: [{ name: 'main', image, ...(env.length > 0 && { env: env.map((name) => ({ name })) }) }] },
})

const desired = (image: string) => ({ metadata, spec: { replicas: 1, template: templateWith(image) } })

const owned = { 'f:name': {}, 'f:image': {}, 'f:env': { 'k:{"name":"OURS"}': { 'f:name': {} } } }

const live = (image: string, env: readonly string[] = []) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: {
    ...metadata,
    uid: 'u',
    resourceVersion: '1',
    managedFields: [
      anEntry({
        manager: 'keeper',
        operation: 'Apply',
        fieldsV1: { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"main"}': owned } } } } },
      }),
    ],
  },
  spec: { template: { ...templateWith(image, env), metadata: { creationTimestamp: null } } },
})

test('PLAN-14 an object without a pod template says nothing of pods', () => {
  expect(plannedPods({ metadata, data: {} }, undefined, 'keeper')).toBeUndefined()
})

test('PLAN-14 a workload that is not there yet makes new pods', () => {
  expect(plannedPods(desired('app:1'), undefined, 'keeper')).toEqual({
    restart: 'new',
    images: [{ container: 'main', after: 'app:1' }],
  })
})

test.for([
  { what: 'the same template', before: live('app:1'), restart: 'no' },
  { what: 'another image', before: live('app:0'), restart: 'yes' },
  { what: 'a variable of ours that goes', before: live('app:1', ['OURS']), restart: 'yes' },
  { what: 'a variable of somebody else', before: live('app:1', ['THEIRS']), restart: 'no' },
] as const)('PLAN-14 $what: pods are restarted: $restart', ({ before, restart }) => {
  expect(plannedPods(desired('app:1'), before, 'keeper')?.restart).toBe(restart)
})
