import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { minutes } from '../../src/pure/duration.ts'
import type { EventEffect } from '../../src/pure/effects.ts'
import { Event, Secret } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { EventRecorder } from '../../src/runtime/events.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { User } from '../kit/user.ts'

interface EventObject extends KubeObject {
  readonly note: string
  readonly regarding: { readonly uid: string }
  readonly series?: { readonly count: number }
}

/** A recorder that tells of one object of this test. */
const aRecorder = () => {
  const { client, port } = sharedConnection()
  const clock = new TurnedClock()
  const warn = (_: object, message: string): never => {
    throw new Error(message)
  }
  const recorder = new EventRecorder({ clock, log: { info: warn, warn, error: warn }, instance: 'test' })
  const uid = randomBytes(8).toString('hex')
  const about = { do: 'event', kind: Secret, key: { namespace: 'default', name: 'n' }, uid } as const
  const effect: EventEffect = { ...about, type: 'Normal', reason: 'Repaired', note: 'it is back' }
  const told = async () => {
    const { items } = await client.list<EventObject>(Event, { namespace: 'default' })
    return items.filter(({ regarding }) => regarding.uid === uid)
  }
  return {
    clock,
    told,
    counts: async () => (await told()).map(({ series }) => series?.count ?? 1).sort(),
    record: (change: Partial<EventEffect> = {}) => recorder.tell(client, 'test', { ...effect, ...change }),
    user: new User(port),
  }
}

test('the same again soon is one more of a series', async () => {
  const { record, counts } = aRecorder()
  for (let n = 0; n < 3; n += 1) await record()
  expect(await counts()).toEqual([3])
})

test('another reason, another note and another time are another event', async () => {
  const { record, counts, clock } = aRecorder()
  await record()
  await record({ reason: 'Minted' })
  await record({ note: 'it is back again' })
  clock.turn(minutes(7))
  await record()
  expect(await counts()).toEqual([1, 1, 1, 1])
})

test('an event that has gone meanwhile is told anew', async () => {
  const { record, counts, told, user } = aRecorder()
  await record()
  for (const { metadata } of await told()) await user.delete(Event, metadata)
  await record()
  expect(await counts()).toEqual([1])
})

test('a note longer than the server takes is cut', async () => {
  const { record, told } = aRecorder()
  await record({ note: 'x'.repeat(2000) })
  expect((await told()).map(({ note }) => note.length)).toEqual([1024])
})
