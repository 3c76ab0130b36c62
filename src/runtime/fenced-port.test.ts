import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import type { WireRequest } from '../kube/port.ts'
import { seconds } from '../pure/duration.ts'
import { fenceWrites } from './fenced-port.ts'
import { leaseTimes, momentOn, Term } from './term.ts'

const anyTime = new AbortController().signal
const reads = ['GET'] as const
const writes = ['POST', 'PATCH', 'DELETE'] as const

const aRequest = (method: WireRequest['method']): WireRequest => ({ method, path: '/', query: {}, accept: '' })

/** A fenced way to a server, which notes what arrives. */
const aSetting = (answer: () => ReturnType<typeof replyWith> | Promise<never> = () => replyWith(200, 'done')) => {
  const clock = new TurnedClock()
  const term = new Term(clock, leaseTimes, momentOn(clock))
  const arrived: string[] = []
  const server = scriptedPort(({ method }) => {
    arrived.push(method)
    return answer()
  })
  return { clock, term, arrived, port: fenceWrites(server, term, { clock, time: seconds(8) }) }
}

test.for([...reads, ...writes])('%s passes while it is permitted', async (method) => {
  const { port } = aSetting()
  expect(await port.call(aRequest(method), anyTime)).toEqual(replyWith(200, 'done'))
})

test.for(writes)('%s waits while a renewal is late', async (method) => {
  const { clock, term, arrived, port } = aSetting()
  clock.turn(seconds(5))
  const call = port.call(aRequest(method), anyTime)
  await Promise.resolve()
  expect(arrived).toEqual([])

  term.renewed(momentOn(clock))
  await call

  expect(arrived).toEqual([method])
})

test.for(writes)('%s does not reach the server when leadership is lost', async (method) => {
  const { term, arrived, port } = aSetting()
  term.lose('somebody else holds the Lease')
  await expect(port.call(aRequest(method), anyTime)).rejects.toThrow(
    'this process does not lead: somebody else holds the Lease',
  )
  expect(arrived).toEqual([])
})

test('reads and watches pass even then', async () => {
  const { term, arrived, port } = aSetting()
  term.lose('somebody else holds the Lease')
  await port.call(aRequest('GET'), anyTime)
  expect((await port.open(aRequest('GET'), anyTime)).status).toBe(200)
  expect(arrived).toEqual(['GET'])
})

test('a write that is not answered in the time it was permitted for has failed, and may have been carried out', async () => {
  const { clock, arrived, port } = aSetting(() => new Promise(() => undefined))
  const call = port.call(aRequest('POST'), anyTime)
  await Promise.resolve()
  expect(arrived).toEqual(['POST'])

  clock.turn(seconds(8))

  await expect(call).rejects.toMatchObject({ message: 'no answer within 8 s', wasSent: true })
})

test('who asked for a write can call it off', async () => {
  const { port } = aSetting(() => new Promise(() => undefined))
  const caller = new AbortController()
  const call = port.call(aRequest('POST'), caller.signal)
  caller.abort(new Error('not needed any more'))
  await expect(call).rejects.toThrow('not needed any more')
})
