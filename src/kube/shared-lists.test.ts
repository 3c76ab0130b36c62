import { expect, test } from 'vitest'
import { type Batch, SharedLists } from './shared-lists.ts'

type Held = Batch & PromiseWithResolvers<undefined>

/** Lists that run until they are told to end. */
const heldLists = () => {
  const started: Held[] = []
  const run = (batch: Batch) => {
    const list = { ...batch, ...Promise.withResolvers<undefined>() }
    started.push(list)
    return list.promise.then(() => undefined)
  }
  const shared = new SharedLists()
  const join = (request: string, lane = 'secrets') => shared.join(lane, { request, value: request }, run)
  return { started, join }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('a list begins at once for the first that asks', () => {
  const { started, join } = heldLists()
  void join('a')
  expect(started.map(({ values }) => [...values])).toEqual([['a']])
})

test('all that ask while a list runs share the next one, which names the values of all', async () => {
  const { started, join } = heldLists()
  const first = join('a')
  const others = [join('b'), join('c'), join('b')]
  started[0]?.resolve(undefined)
  await first
  await turn()
  expect(started.slice(1).map(({ values, requests }) => [[...values], [...requests]])).toEqual([
    [
      ['b', 'c'],
      ['b', 'c'],
    ],
  ])
  started[1]?.resolve(undefined)
  await Promise.all(others)
})

test('a list that runs already does not answer a request that comes later', async () => {
  const { started, join } = heldLists()
  const first = join('a')
  let isAnswered = false
  const second = join('b').then(() => (isAnswered = true))
  started[0]?.resolve(undefined)
  await first
  await turn()
  expect(isAnswered).toBe(false)
  started[1]?.resolve(undefined)
  await second
})

test('a list that fails fails those that share it, and the next one runs all the same', async () => {
  const { started, join } = heldLists()
  const failed = expect(join('a')).rejects.toThrow('refused')
  const next = join('b')
  started[0]?.reject(new Error('refused'))
  await failed
  await turn()
  started[1]?.resolve(undefined)
  await next
})

test('lists of other kinds or namespaces do not wait for each other', () => {
  const { started, join } = heldLists()
  void join('a')
  void join('b', 'services')
  expect(started).toHaveLength(2)
})

test('a request that asks after everything has ended begins a list of its own', async () => {
  const { started, join } = heldLists()
  const first = join('a')
  started[0]?.resolve(undefined)
  await first
  await turn()
  void join('b')
  expect(started).toHaveLength(2)
})
