import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('others get a turn of the event loop between any two', async () => {
  const turns = new Turns()
  const order: string[] = []
  const begin = async (name: string) => {
    await turns.next()
    order.push(name)
    setImmediate(() => order.push(`others after ${name}`))
  }
  await Promise.all(['one', 'two', 'three'].map(begin))

  expect(order.filter((name) => !name.startsWith('others'))).toEqual(['one', 'two', 'three'])
  expect(order.indexOf('others after one')).toBeLessThan(order.indexOf('three'))
})
