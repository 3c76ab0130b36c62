import { expect, test } from 'vitest'
import { withEntriesApplied } from '../../src/pure/managed-fields.ts'
import { Secret } from '../../src/pure/kind.ts'
import { preconditionOf } from '../../src/pure/object.ts'
import { aSuite, type SecretObject, type Suite } from '../kit/suite.ts'

const manager = 'holdfast-test'
const otherUid = '00000000-0000-4000-8000-000000000000'

const aSecret = (suite: Suite): Promise<SecretObject> => {
  const metadata = { namespace: suite.operatorNamespace, name: 'guarded', labels: { ours: 'yes', dropped: 'yes' } }
  return suite.client.create(Secret, { metadata, data: { value: 'b25l' } }, manager)
}

const set = { annotations: { 'example.com/mark': 'new' } }

test.for([
  { what: 'a mark for another object of that name', on: { uid: otherUid } },
  { what: 'a mark for an older version', on: { resourceVersion: '1' } },
])('the API server refuses $what as a conflict', async ({ on }) => {
  await using suite = await aSuite([])
  const live = await aSecret(suite)

  const marking = suite.client.mark(Secret, live.metadata, { on: { ...preconditionOf(live), ...on }, set }, manager)

  await expect(marking).rejects.toMatchObject({ class: 'conflict' })
  expect(await suite.client.get(Secret, live.metadata)).toEqual(live)
})

test.for([
  { what: 'an apply for another object of that name', on: { uid: otherUid } },
  { what: 'an apply for an older version', on: { resourceVersion: '1' } },
])('the API server refuses $what as a conflict', async ({ on }) => {
  await using suite = await aSuite([])
  const live = await aSecret(suite)
  const { name, namespace } = live.metadata
  const desired = { metadata: { name, namespace }, data: { value: 'dHdv' } }

  const applying = suite.client.apply(Secret, desired, { ...preconditionOf(live), ...on }, manager)

  await expect(applying).rejects.toMatchObject({ class: 'conflict' })
  expect(await suite.client.get(Secret, live.metadata)).toEqual(live)
})

test('the API server refuses to delete another object of that name, and to create one where there is one', async () => {
  await using suite = await aSuite([])
  const live = await aSecret(suite)

  await expect(suite.client.delete(Secret, live.metadata, otherUid)).rejects.toMatchObject({ class: 'conflict' })
  await expect(aSecret(suite)).rejects.toMatchObject({ class: 'conflict' })
  expect(await suite.client.get(Secret, live.metadata)).toEqual(live)
})

test('once its entry is turned into an apply, a field that we drop is gone and a foreign one stays', async () => {
  await using suite = await aSuite([])
  const posted = await aSecret(suite)
  await suite.user.patch(Secret, posted.metadata, { metadata: { labels: { theirs: 'yes' } } })
  const touched = await suite.client.get<SecretObject>(Secret, posted.metadata)
  if (touched === undefined) throw new Error('it is gone')
  const managedFields =
    withEntriesApplied(touched.metadata.managedFields, { kind: Secret, manager, predecessors: [] }) ?? []
  const { name, namespace } = posted.metadata

  const turned = await suite.client.mark(
    Secret,
    { name, namespace },
    { on: preconditionOf(touched), set: { managedFields } },
    manager,
  )
  const desired = { metadata: { name, namespace, labels: { ours: 'yes' } }, data: { value: 'b25l' } }
  const applied = await suite.client.apply(Secret, desired, preconditionOf(turned), manager)

  expect(applied.metadata.labels).toEqual({ ours: 'yes', theirs: 'yes' })
})
