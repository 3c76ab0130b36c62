import { expect, test } from 'vitest'
import { pagesOf } from '../../src/kube/pages.ts'
import { ReplyTooLarge } from '../../src/kube/port.ts'
import type { View } from '../../src/kube/view.ts'
import { createClient } from '../../src/kube/client.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { replyWith, scriptedPort } from '../kit/scripted-port.ts'
import type { Thing } from './object-server.ts'
import { ConfigMap, WatchedServer } from './watched-server.ts'

const failing: readonly [what: string, view: Partial<View<Thing>>][] = [
  ['a transform', { project: (thing) => (thing.data['text'] === 'bad' ? fail() : thing) }],
  ['an index', { indexes: { text: ({ data }) => (data['text'] === 'bad' ? fail() : []) } }],
]
const fail = (): never => {
  throw new RangeError('about: bad')
}

test.each(failing)('%s that fails on one object makes that object unreadable, and no other', async (_, view) => {
  using setting = new WatchedServer()
  setting.put('first', 'bad')
  const { informer, troubles } = await setting.observe(view)
  setting.put('second', 'bad')
  setting.put('third', 'good')
  await setting.settle()

  const kept = informer.store.list().map(({ metadata, unreadable }) => [metadata.name, unreadable])
  const why = 'it makes no sense (RangeError)'
  expect(Object.fromEntries(kept)).toEqual({ first: why, second: why, third: undefined })
  expect(troubles).toEqual([])
})

test('an object that is larger or deeper than any of ours is kept by its metadata, and says why', async () => {
  using setting = new WatchedServer()
  const { informer } = await setting.observe()
  setting.put('large', 'x'.repeat(900_000))
  setting.put('small', 'x')
  await setting.settle()

  const [large, small] = informer.store.list()
  expect(large).toMatchObject({ metadata: { name: 'large' }, unreadable: 'it is larger than 768 KiB' })
  expect(large?.data).toBeUndefined()
  expect(small?.data).toEqual({ text: 'x' })
})

const deep: unknown = JSON.parse('{"f:x":'.repeat(9000) + '{}' + '}'.repeat(9000))

test('an entry of managedFields that no manager would write owns nothing, and the others stay', async () => {
  using setting = new WatchedServer()
  const { informer } = await setting.observe({ extent: 'metadata' })
  const entry = { operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' } as const
  const managedFields = [
    { ...entry, manager: 'deep', fieldsV1: deep },
    { ...entry, manager: 'plain', fieldsV1: { 'f:data': {} } },
  ]
  const object = {
    ...setting.put('n'),
    metadata: { ...setting.put('n').metadata, resourceVersion: '999', managedFields },
  }
  informer.shown(object as unknown as Thing)

  expect(informer.store.get('a/n')?.metadata.managedFields).toEqual([
    { ...entry, manager: 'deep', fieldsV1: {} },
    { ...entry, manager: 'plain', fieldsV1: { 'f:data': {} } },
  ])
})

test('a page that is too large in bytes is asked for again with fewer objects', async () => {
  const sizes = [1, 1, 1, 9, 9, 9, 1, 1, 1, 1]
  const limits: number[] = []
  const port = scriptedPort(({ query, mostBytes = 0 }) => {
    const from = Number(query['continue'] ?? 0)
    const limit = Number(query['limit'])
    limits.push(limit)
    const page = sizes.slice(from, from + limit)
    if (page.reduce((sum, size) => sum + size, 0) > 16) throw new ReplyTooLarge(mostBytes)
    const items = page.map((_, n) => ({ metadata: { name: String(from + n), uid: String(from + n) } }))
    const rest = from + limit < sizes.length ? String(from + limit) : ''
    return replyWith(200, { metadata: { resourceVersion: '1', continue: rest }, items })
  })
  const client = createClient(port, new AbortController().signal)
  const objects: KubeObject[] = []
  for await (const { items } of pagesOf(client, ConfigMap, {}, { extent: 'whole', limit: 8 })) objects.push(...items)

  expect(objects.map(({ metadata }) => metadata.name)).toEqual(sizes.map((_, n) => String(n)))
  expect(limits).toEqual([8, 1, 2, 3, 1, 2, 1, 2, 3])
})

test('pages of large objects do not grow beyond what fits, and grow again when objects are small', async () => {
  const large = 'x'.repeat(700_000)
  const texts = [...Array.from({ length: 9 }, () => large), ...Array.from({ length: 12 }, () => 'x')]
  const limits: number[] = []
  let tooLarge = 0
  const port = scriptedPort(({ query, mostBytes = 0 }) => {
    const from = Number(query['continue'] ?? 0)
    const limit = Number(query['limit'])
    limits.push(limit)
    const items = texts
      .slice(from, from + limit)
      .map((text, n) => ({ metadata: { name: String(from + n), uid: String(from + n) }, data: { text } }))
    const rest = from + limit < texts.length ? String(from + limit) : ''
    const body = { metadata: { resourceVersion: '1', continue: rest }, items }
    if (JSON.stringify(body).length <= mostBytes) return replyWith(200, body)
    tooLarge += 1
    throw new ReplyTooLarge(mostBytes)
  })
  const client = createClient(port, new AbortController().signal)
  const names: string[] = []
  for await (const { items } of pagesOf(client, ConfigMap, {}, { extent: 'whole', limit: 8 }))
    names.push(...items.map(({ metadata }) => metadata.name))

  expect(names).toEqual(texts.map((_, n) => String(n)))
  expect(tooLarge).toBe(1)
  expect(limits).toEqual([8, 1, 2, 2, 2, 2, 2, 3, 4, 5])
})
