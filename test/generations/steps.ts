import { asAgent, asService, type Protocol, type Times } from './look.ts'
import { changed, forgiven, isTaken, perform, started, without } from './perform.ts'
import {
  currentIn,
  has,
  printWrite,
  sceneOf,
  type Service,
  setOf,
  type Stored,
  type World,
  type Write,
} from './world.ts'

export interface Bounds extends Times {
  /** How many keys there may ever be. */
  readonly keys: number
  /** The services that the user matches and unmatches. */
  readonly fickle: readonly string[]
}

/** One thing that may happen next. */
export interface Step {
  readonly what: string
  /** Undefined when the agent is deleted: then everything may go, and nothing is promised any more. */
  readonly world: World | undefined
  readonly write?: Write
}

interface Look {
  readonly what: string
  readonly writes: readonly Write[]
}

/** What an operator that looks at a world may decide. */
export type Looks = (world: World) => readonly Look[]

/** All that may happen next, to whomever. */
export const stepsFrom = (world: World, looks: Looks, bounds: Bounds): readonly Step[] => [
  ...operatorSteps(world, looks, bounds),
  ...world.services.flatMap((service) => podSteps(world, service)),
  ...userSteps(world, bounds),
  ...passing(world, bounds),
]

/** An operator looks, and has in hand what it decided for as long as it likes; or writes the next of it; or dies. */
const operatorSteps = (world: World, looks: Looks, bounds: Bounds): readonly Step[] => {
  const idle = world.operators.findIndex((writes) => writes.length === 0)
  return [
    ...(idle === -1
      ? []
      : looks(world).map(({ what, writes }) => ({
          what: `operator ${idle} looks ${what}`,
          world: inHand(world, idle, writes),
        }))),
    ...world.operators.flatMap((writes, operator) => writing(world, operator, writes, bounds)),
  ]
}

/** An operator decides the same whenever it sees the same. */
export const looksWith = (protocol: Protocol, times: Times): Looks => {
  const known = new Map<string, readonly Look[]>()
  return (world) => {
    const scene = sceneOf(world)
    const looks = known.get(scene) ?? looksAt(world, protocol, times)
    known.set(scene, looks)
    return looks
  }
}

const looksAt = (world: World, protocol: Protocol, times: Times): readonly Look[] =>
  [
    ...asAgent(world, protocol, times).map((writes) => ({ what: 'at the agent', writes })),
    ...world.services.map((service) => ({
      what: `at ${service.name}`,
      writes: asService(world, service, protocol),
    })),
  ].filter(({ writes }) => writes.length > 0)

const writing = (
  world: World,
  operator: number,
  [write, ...rest]: readonly Write[],
  { keys }: Bounds,
): readonly Step[] => {
  if (write === undefined) return []
  const crash = { what: `operator ${operator} dies`, world: inHand(world, operator, []) }
  if (isTaken(world, write)) {
    return [
      { what: `operator ${operator}: ${printWrite(write)} is refused`, world: inHand(world, operator, rest) },
      crash,
    ]
  }
  if (write.do === 'mint' && world.minted >= keys) return [crash]
  return [
    { what: `operator ${operator}: ${printWrite(write)}`, world: written(world, operator, [write, ...rest]), write },
    crash,
  ]
}

/** What an operator writes first is nothing that it would itself be refused for later. */
const written = (world: World, operator: number, [write, ...rest]: readonly [Write, ...Write[]]): World =>
  inHand(perform(inHand(world, operator, []), write), operator, rest)

const inHand = (world: World, operator: number, writes: readonly Write[]): World => ({
  ...world,
  operators: world.operators.map((former, one) => (one === operator ? writes : former)),
})

/** A pod is replaced by one from the newest template, or its ledger starts again. Either may never happen. */
const podSteps = (world: World, service: Service): readonly Step[] =>
  service.pods.flatMap((pod, ordinal) => {
    const startedAs = (isNew: boolean) =>
      changed(world, service.name, (one) => ({
        ...one,
        pods: one.pods.map((other, at) => (at === ordinal ? started(one, pod, isNew) : other)),
      }))
    return [
      ...(pod.isNew ? [] : [{ what: `${service.name}-${ordinal} is replaced`, world: startedAs(true) }]),
      ...(pod.keys === service.list
        ? []
        : [{ what: `${service.name}-${ordinal} starts again`, world: startedAs(pod.isNew) }]),
    ]
  })

const userSteps = (world: World, { fickle }: Bounds): readonly Step[] => {
  const { left } = world
  const requests = left.requests === 0 ? [] : ['r1', 'r2'].filter((request) => request !== world.request)
  const revocable = left.revocations === 0 ? [] : world.generations.filter(({ key }) => !has(world.revocations, key))
  return [
    ...requests.map((request) => ({
      what: `the user asks for rotation ${request}`,
      world: { ...world, request, left: { ...left, requests: left.requests - 1 } },
    })),
    ...revocable.map(({ key }) => ({
      what: `the user revokes k${key}`,
      world: {
        ...world,
        revocations: world.revocations | setOf(key),
        left: { ...left, revocations: left.revocations - 1 },
      },
    })),
    ...restored(world),
    ...world.backups.flatMap((one) => restoredSecret(world, one)),
    ...(left.deletions === 0 ? [] : world.generations.map((one) => deleted(world, one))),
    ...(left.matches === 0 ? [] : fickle.map((name) => toggled(world, name))),
    { what: 'the user deletes the agent', world: undefined },
  ]
}

/** Whatever it served is asked for again. */
const deleted = (world: World, { key, request }: Stored): Step => {
  const lost = currentIn(world)?.key === key ? key : world.lost
  const served = world.served.filter((one) => one !== request)
  const left = { ...world.left, deletions: world.left.deletions - 1 }
  return { what: `the user deletes the Secret of k${key}`, world: { ...without(world, key), lost, served, left } }
}

/** An agent is restored from before a revocation, which is noted by then. */
const restored = (world: World): readonly Step[] => {
  if (world.revocations === 0 || (world.revocations & ~world.revoked) !== 0) return []
  return [{ what: 'the user puts an agent back that asks for no revocation', world: { ...world, revocations: 0 } }]
}

/** The Secret is as it was before the revocation, with its former end or without one. */
const restoredSecret = (world: World, backup: Stored): readonly Step[] => {
  if (world.left.restores === 0 || world.generations.some(({ number }) => number === backup.number)) return []
  const left = { ...world.left, restores: world.left.restores - 1 }
  const backups = left.restores === 0 ? [] : world.backups
  const forms = backup.retiresIn === undefined ? [backup] : [backup, { ...backup, retiresIn: undefined }]
  return forms.map((one) => ({
    what: `the user restores the Secret of k${one.key} from a backup`,
    world: { ...world, generations: [...world.generations, one], backups, left },
  }))
}

const toggled = (world: World, name: string): Step => {
  const left = { ...world.left, matches: world.left.matches - 1 }
  const after = changed({ ...world, left }, name, (service) => ({ ...service, isMatched: !service.isMatched }))
  return { what: `the user matches ${name}, or no longer`, world: forgiven(after, name) }
}

/** One tick, if it makes a difference. */
export const passing = (
  world: World,
  { every }: Times,
): readonly { readonly what: string; readonly world: World }[] => {
  const isAging = every !== undefined && world.generations.some(({ age }) => age < every)
  const isRunning = (time: number | undefined) => time !== undefined && time > 0
  const pending = world.operators.flat().filter((write) => write.do === 'retire')
  if (
    !isAging &&
    ![...world.generations.map(({ retiresIn }) => retiresIn), ...pending.map(({ inTime }) => inTime)].some(isRunning)
  )
    return []
  const generations = world.generations.map((one) => ({
    ...one,
    age: every === undefined ? 0 : Math.min(every, one.age + 1),
    retiresIn: one.retiresIn === undefined ? undefined : Math.max(0, one.retiresIn - 1),
  }))
  const operators = world.operators.map((writes) =>
    writes.map((write) => (write.do === 'retire' ? { ...write, inTime: Math.max(0, write.inTime - 1) } : write)),
  )
  return [{ what: 'time passes', world: { ...world, generations, operators } }]
}
