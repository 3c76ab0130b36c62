import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../../test/kit/scripted-port.ts'
import { widgetKind } from '../../../test/kit/widget.ts'
import { createClient } from '../../kube/client.ts'
import type { WireRequest } from '../../kube/port.ts'
import { claimAnnotation } from '../../pure/names.ts'
import { findOperatorNamespace } from './operator-namespace.ts'

const Widget = widgetKind('example.com')
const everything = { kind: undefined, namespace: undefined, name: undefined }

const claimedBy = (claim: string | undefined) => ({
  metadata: { name: 'x', annotations: claim === undefined ? {} : { [claimAnnotation]: claim } },
})

const search = (answer: (request: WireRequest) => ReturnType<typeof replyWith>, watched: 'all' | string[] = 'all') => ({
  client: createClient(scriptedPort(answer), new AbortController().signal),
  kinds: [Widget],
  watched,
})

const listOf = (...claims: readonly (string | undefined)[]) =>
  replyWith(200, { metadata: { resourceVersion: '1' }, items: claims.map(claimedBy) })

test.for<{ claims: readonly (string | undefined)[]; found: string; which: string }>([
  { claims: ['ours', undefined, 'ours'], found: 'ours', which: 'that has claimed the objects' },
  { claims: ['ours', 'theirs'], found: 'holdfast-system', which: 'of the usual namespace when two have' },
  { claims: [undefined], found: 'holdfast-system', which: 'of the usual namespace when none has' },
])('PLAN-12 it plans as the operator $which', async ({ claims, found }) => {
  expect(
    await findOperatorNamespace(
      everything,
      search(() => listOf(...claims)),
    ),
  ).toBe(found)
})

test('PLAN-12 a kind that is not installed is nobody’s', async () => {
  expect(
    await findOperatorNamespace(
      everything,
      search(() => replyWith(404, '404 page not found')),
    ),
  ).toBe('holdfast-system')
})

test('PLAN-12 what cannot be listed is an error, and not taken for unclaimed', async () => {
  await expect(
    findOperatorNamespace(
      everything,
      search(() => replyWith(403, {})),
    ),
  ).rejects.toThrow('403')
})

test('PLAN-12 only what is asked for is looked at, in the namespaces that are watched', async () => {
  const asked: string[] = []
  const answer = ({ path, query }: WireRequest) => {
    asked.push(`${path} ${query['fieldSelector'] ?? ''}`.trim())
    return listOf('ours')
  }
  await findOperatorNamespace(everything, search(answer, ['a', 'b']))
  await findOperatorNamespace({ kind: Widget, namespace: 'c', name: 'x' }, search(answer, ['a', 'b']))

  expect(asked).toEqual([
    '/apis/example.com/v1/namespaces/a/widgets',
    '/apis/example.com/v1/namespaces/b/widgets',
    '/apis/example.com/v1/namespaces/c/widgets metadata.name=x',
  ])
})
