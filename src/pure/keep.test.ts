import { expect, test } from 'vitest'
import { anEntry } from '../../test/fixtures/agent.ts'
import type { Desired } from './effects.ts'
import { withAppliedMark } from './in-sync.ts'
import { keep } from './keep.ts'
import { Secret } from './kind.ts'
import type { KubeObject, ManagedFieldsEntry } from './object.ts'

const keeping = { kind: Secret, manager: 'holdfast', predecessors: ['former'] }
const desired: Desired = { metadata: { namespace: 'a', name: 'n', labels: { agent: 'biller' } }, type: 'Opaque' }
const object = withAppliedMark(desired)
const key = { namespace: 'a', name: 'n' }
const on = { uid: 'u', resourceVersion: '5' }
const all = {
  'f:metadata': { 'f:labels': { 'f:agent': {} }, 'f:annotations': { 'f:holdfast.dev/applied': {} } },
  'f:type': {},
}
const applied = anEntry({ manager: 'holdfast', fieldsV1: all })
const posted = anEntry({ manager: 'holdfast', operation: 'Update', fieldsV1: all })

const live = (
  managedFields: readonly ManagedFieldsEntry[],
  annotations = object.metadata.annotations ?? {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...key, ...on, annotations, managedFields },
})

test('an object that is not there is created', () => {
  expect(keep(keeping, undefined, desired)).toEqual([{ do: 'create', kind: Secret, object }])
})

test('an object that is as it should be is left alone, whether we posted or applied it', () => {
  expect(keep(keeping, live([applied]), desired)).toEqual([])
  expect(keep(keeping, live([posted]), desired)).toEqual([])
})

test('an object that has drifted where managedFields do not tell is applied', () => {
  expect(keep(keeping, live([applied]), desired, true)).toEqual([{ do: 'apply', kind: Secret, object, on }])
})

test('an object that should be otherwise is applied on the version that was seen', () => {
  const effects = keep(keeping, live([applied], { 'holdfast.dev/applied': 'before' }), desired)
  expect(effects).toEqual([{ do: 'apply', kind: Secret, object, on }])
})

test('LCA-22 before the first apply, what we posted or a predecessor wrote becomes an apply of ours', () => {
  const stranger = anEntry({ manager: 'somebody' })
  const before = [stranger, posted, anEntry({ manager: 'former', operation: 'Update' })]
  expect(keep(keeping, live(before, {}), desired)).toEqual([
    {
      do: 'mark',
      kind: Secret,
      key,
      on,
      set: { managedFields: [applied, stranger], annotations: { 'holdfast.dev/applied': null } },
    },
  ])
})
