import { expect, test } from 'vitest'
import { Namespace } from '../../src/pure/kind.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { Chain, type Place } from './cache-chain.ts'

const chains = 8
const schedulesInEach = 25
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1)

const runChain = async (number: number, place: Place) => {
  using chain = new Chain(seed * chains + number, place)
  const red: string[] = []
  for (let n = 0; n < schedulesInEach; n += 1) {
    const fault = await chain.run()
    if (fault !== undefined) red.push(`chain ${seed * chains + number}, schedule ${n}: ${fault}`)
  }
  return { red, fired: chain.link.fired }
}

test('on a real API server the cache equals a list after any schedule of writes and faults, and so does what it told', async () => {
  const { port, client } = sharedConnection()
  await using space = await ownNamespaces('cache')
  const { resourceVersion: beginning } = await client.list(Namespace, {}, { limit: 1 })
  const place = { port, namespace: space.named('cache'), beginning }
  const runs = await Promise.all(Array.from({ length: chains }, (_, number) => runChain(number, place)))

  const fired = new Map<string, number>()
  for (const [name, times] of runs.flatMap((run) => [...run.fired])) fired.set(name, (fired.get(name) ?? 0) + times)
  const faults = [...fired.values()].reduce((sum, times) => sum + times, 0)
  console.info(`${chains * schedulesInEach} schedules, ${faults} faults of ${fired.size} kinds`)
  expect(runs.flatMap(({ red }) => red).join('\n\n')).toBe('')
  expect(fired.size).toBe(13)
}, 300_000)
