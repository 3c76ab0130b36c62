import type { Times } from './look.ts'
import type { Step } from './steps.ts'
import {
  currentIn,
  has,
  isStandingIn,
  keysIn,
  type KeySet,
  setOf,
  type Stored,
  storedAs,
  type World,
  type Write,
} from './world.ts'

/** The promises that a step could break. */
export type Promised =
  | 'minted only when asked for'
  | 'used only when trusted'
  | 'accepted until its end'
  | 'revoked for good'
  | 'revocation is remembered'
  | 'lost is not exchanged'
  | 'not by time alone'
  | 'comes to its end'

export interface Breach {
  readonly promise: Promised
  readonly how: string
}

/** What a step breaks, if anything. */
export const breachOf = (before: World, { write, world }: Step, times: Times): Breach | undefined =>
  (write && breachBy(write, before, times)) ?? (world && (forgottenIn(world) ?? lossIn(before, world)))

const breachBy = (write: Write, before: World, times: Times): Breach | undefined => {
  if (write.do === 'mint') return isDue(write, before, times) ? undefined : unasked(write)
  if (write.do === 'promote' && has(before.revoked, write.key)) return usedAgain(write.key)
  if (write.do === 'promote' && storedAs(before, write.key)?.isLate === true) return late(write.key)
  if (write.do === 'copy') return wrongCopy(write, before)
  if (write.do !== 'list') return undefined
  const again = write.keys & (before.services.find(({ name }) => name === write.service)?.dropped ?? 0)
  return again === 0
    ? undefined
    : { promise: 'revoked for good', how: `${write.service} lists ${printKeys(again)} again, which it had dropped` }
}

const unasked = ({ number, request }: Write & { do: 'mint' }): Breach => ({
  promise: 'minted only when asked for',
  how: `generation ${number} is made for ${request ?? 'nobody'}`,
})

const late = (key: number): Breach => ({
  promise: 'minted only when asked for',
  how: `k${key} comes into use, which was made once more for a request that had been served`,
})

const usedAgain = (key: number): Breach => ({
  promise: 'revoked for good',
  how: `k${key} is used again, which was revoked`,
})

/** A revoked key whose Secret is gone is remembered by one that is there. */
const forgottenIn = ({ generations, revoked }: World): Breach | undefined => {
  const known = generations.reduce((all, { key, isRevoked, remembered }) => {
    return all | remembered | (isRevoked ? setOf(key) : 0)
  }, 0)
  const forgotten = revoked & ~known
  return forgotten === 0
    ? undefined
    : { promise: 'revocation is remembered', how: `nothing remembers that ${printKeys(forgotten)} is revoked` }
}

/** Told from what happened, not from marks. */
const isDue = ({ number, request }: Write & { do: 'mint' }, before: World, { every }: Times): boolean => {
  const current = currentIn(before)
  // It cannot be refused: its number is free. That it must never be used is seen to below.
  if (before.generations.some((one) => one.number > number)) return true
  if (request !== undefined && !before.served.includes(request)) return true
  if (current !== undefined && hasBetter(before)) return every !== undefined && current.age >= every
  return before.minted === 0 || before.generations.some(({ isRevoked }) => isRevoked)
}

const wrongCopy = ({ place, key }: Write & { do: 'copy' }, before: World): Breach | undefined => {
  const to = storedAs(before, key)
  if (to === undefined || !isStandingIn(to)) {
    const promise = to?.isRevoked === true ? 'revoked for good' : 'accepted until its end'
    return { promise, how: `k${key} is copied to ns${place} although it is on its way out` }
  }
  if (has(before.revoked, key)) return usedAgain(key)
  if (to.isLate) return late(key)
  const former = before.copies[place]
  if (former === undefined || has(before.promoted, key)) return undefined
  // When the former one was revoked there is nothing to wait with.
  return has(before.revocations | before.revoked, former)
    ? undefined
    : { promise: 'used only when trusted', how: `ns${place} gets k${key}, which was not waited for` }
}

/** Whether a key is in use that is not on its way out. */
const hasBetter = (world: World): boolean =>
  world.generations.some((one) => isStandingIn(one) && one.isPromoted && !isUnwanted(one, world))

const isUnwanted = ({ key }: Stored, { revoked, revocations }: World): boolean => has(revoked | revocations, key)

/** Keys that somebody may be signing with. */
const inUse = (world: World): KeySet => {
  const { generations, copies } = world
  return setOf(
    ...generations
      .filter((one) => !isUnwanted(one, world) && (copies.includes(one.key) || (one.retiresIn ?? 0) > 0))
      .map(({ key }) => key),
  )
}

/** A pod that refuses what somebody relies on. */
const lossIn = (before: World, world: World): Breach | undefined => {
  const used = inUse(world)
  for (const [at, { name, pods }] of world.services.entries()) {
    for (const [ordinal, { keys, owed }] of pods.entries()) {
      const refused = owed & used & ~keys
      if (refused === 0) continue
      const hadIt = (before.services[at]?.pods[ordinal]?.keys ?? 0) & refused
      return {
        promise: hadIt === 0 ? 'used only when trusted' : 'accepted until its end',
        how: `${name}-${ordinal} refuses ${printKeys(refused)}, which is in use`,
      }
    }
  }
  return undefined
}

const printKeys = (keys: KeySet): string =>
  keysIn(keys)
    .map((key) => `k${key}`)
    .join(', ')
