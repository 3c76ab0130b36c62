import type { Breach } from './invariants.ts'
import { asAgent, asService, consumptionOf, keyIdOf, type Protocol, type Times } from './look.ts'
import { changed, isTaken, perform, started, tidied } from './perform.ts'
import { keyStateOf } from '../../src/pure/key-rollout.ts'
import { passing } from './steps.ts'
import { currentIn, has, isStandingIn, printWrite, sceneOf, setOf, storedAs, type World, type Write } from './world.ts'

/** The user rests, operators work on, and pods are replaced, but never those of who is slow. */
export interface Rest {
  readonly protocol: Protocol
  readonly times: Times
  readonly slow?: string
}

/** Everybody does what there is to do; time passes when there is nothing. Undefined when nothing comes any more. */
const roundOf = (world: World, { protocol, times, slow }: Rest): World | undefined => {
  const before = sceneOf(world)
  let after = all(world, asAgent(world, protocol, times)[0])
  after = all(after, asAgent(after, protocol, times)[1])
  for (const [at, { name }] of world.services.entries()) {
    after = all(after, asService(after, after.services[at]!, protocol))
    if (name !== slow)
      after = changed(after, name, (one) => ({ ...one, pods: one.pods.map((pod) => started(one, pod, true)) }))
  }
  after = tidied(after)
  return sceneOf(after) === before ? passing(after, times)[0]?.world : after
}

const all = (world: World, writes: readonly Write[] = []): World =>
  writes.reduce((after, write) => (isTaken(after, write) ? after : perform(after, write)), world)

/** More rounds than any way to rest has. */
const manyRounds = 60

/** Where a world comes to rest; undefined when it does not, or when it passes through one that is known to. */
const endOf = (begin: World, rest: Rest, known: Set<string>): World | 'known' | undefined => {
  let world: World = { ...begin, operators: [[], []] }
  for (let round = 0; round < manyRounds; round += 1) {
    const scene = sceneOf(world)
    if (known.has(scene)) return 'known'
    known.add(scene)
    const after = roundOf(world, rest)
    if (after === undefined) return world
    world = after
  }
  return undefined
}

/** Breaks the promise when a world would not finish although nobody is slow. */
export const finishing = (rest: Rest): ((world: World) => Breach | undefined) => {
  const known = new Set<string>()
  return (world) => {
    const end = endOf(world, rest, known)
    if (end === 'known') return undefined
    const how = end === undefined ? 'it never rests' : unfinished(end)
    return how === undefined ? undefined : { promise: 'comes to its end', how }
  }
}

const unfinished = (end: World): string | undefined => {
  const current = currentIn(end)
  if (current === undefined) return 'there is no key'
  if (end.generations.some((one) => !one.isRevoked && one !== current)) return 'a former key, or a next one, stays'
  if (end.generations.some((one) => one.number < current.number)) return 'a revoked key stays'
  if (has(end.revocations, current.key)) return 'the current key is one that the user revoked'
  if (end.request !== undefined && !end.served.includes(end.request)) return `${end.request} was not served`
  if (end.copies.some((key) => key !== current.key)) return 'a copy has another key'
  const differing = end.services.find(({ isMatched, list, pods }) => {
    const kept = isMatched ? setOf(current.key) : 0
    return list !== kept || pods.some(({ keys }) => keys !== kept)
  })
  return differing && `${differing.name} does not accept the current key and no other`
}

/** Breaks the promise when a key that was lost is replaced although nobody took it back. */
export const bereaved =
  ({ protocol, times }: Rest): ((world: World) => Breach | undefined) =>
  (world) => {
    const { lost, revocations, generations } = world
    if (lost === undefined || has(revocations, lost)) return undefined
    if (generations.some((one) => isStandingIn(one) && one.isPromoted)) return undefined
    const replacing = asAgent(world, protocol, times)
      .flat()
      .find((write) => write.do === 'mint' || write.do === 'copy' || write.do === 'promote')
    return replacing && { promise: 'lost is not exchanged', how: `k${lost} is lost: ${printWrite(replacing)}` }
  }

/** Breaks the promise when time alone ends the use of a key while the slow one has not loaded the next. */
export const waiting = (rest: Rest): ((world: World) => Breach | undefined) => {
  const known = new Set<string>()
  return (world) => {
    const wanted = world.generations.filter((one) => isStandingIn(one) && !has(world.revocations, one.key))
    const current = currentIn({ ...world, generations: wanted })
    const next = wanted.find(({ number, isPromoted }) => !isPromoted && number > (current?.number ?? 0))
    const slow = world.services.find(({ name, isMatched }) => name === rest.slow && isMatched)
    if (current === undefined || next === undefined || slow === undefined) return undefined
    if (keyStateOf(keyIdOf(next.key), consumptionOf(slow)) === 'Loaded') return undefined
    const scene = sceneOf({ ...world, operators: [[], []] })
    if (known.has(scene)) return undefined
    known.add(scene)
    const end = endOf(world, rest, new Set())
    const former = end === undefined || end === 'known' ? undefined : storedAs(end, current.key)
    return former !== undefined && isStandingIn(former)
      ? undefined
      : { promise: 'not by time alone', how: `k${current.key} is not current any more although ${slow.name} waits` }
  }
}
