import type { Ancestor } from '../../src/pure/generation.ts'

/** Keys are numbered by birth, from 0; a set of them has the bit of each. */
export type KeySet = number

export const setOf = (...keys: readonly number[]): KeySet => keys.reduce((set, key) => set | (1 << key), 0)
export const has = (set: KeySet, key: number): boolean => (set & (1 << key)) !== 0
export const keysIn = (set: KeySet): readonly number[] => [0, 1, 2, 3, 4, 5, 6, 7].filter((key) => has(set, key))

/** A stored generation. Time is told as what is left of it, so that worlds that differ by the date alone are one. */
export interface Stored {
  readonly key: number
  readonly number: number
  readonly request: string | undefined
  readonly lineage: readonly Ancestor[]
  /** The lineage as text. */
  readonly ancestry: string
  /** Since it was made, or since it is written down that it is in use. */
  readonly age: number
  /** Whether it is written down that it is in use. */
  readonly isPromoted: boolean
  /** Until its announced end; 0 when that has passed. */
  readonly retiresIn: number | undefined
  readonly isRevoked: boolean
  /** Whether it is recorded that the last pod has dropped it. */
  readonly isDropped: boolean
  /** The revoked keys that it remembers. */
  readonly remembered: KeySet
  readonly isEnding: boolean
  /** Made by an operator that had looked long before, under a number that had become free again. */
  readonly isLate: boolean
}

export interface Pod {
  /** What it loaded when it started. */
  readonly keys: KeySet
  /** What somebody may rely on that it accepts, for as long as the key is in use. */
  readonly owed: KeySet
  /** Whether it was made from the newest template. */
  readonly isNew: boolean
}

export interface Service {
  readonly name: string
  readonly isMatched: boolean
  readonly list: KeySet
  /** Revoked keys that were in the list. */
  readonly dropped: KeySet
  /** Whether the template of its pods carries the stamp of the list as it is now. */
  readonly isWired: boolean
  readonly pods: readonly Pod[]
}

/** What an operator has decided to write, and has not written yet. Each write is refused when its object has moved on. */
export type Write =
  | {
      readonly do: 'mint'
      readonly number: number
      readonly request: string | undefined
      readonly lineage: readonly Ancestor[]
      readonly ancestry: string
      readonly isCurrent: boolean
      readonly remembered: KeySet
    }
  | { readonly do: 'retire'; readonly key: number; readonly inTime: number }
  /** `loadedBy` are the services that had to have it loaded, and are matched ever since; undefined when it could not wait. */
  | { readonly do: 'promote'; readonly key: number; readonly loadedBy: string | undefined }
  | { readonly do: 'remember'; readonly key: number; readonly remembered: KeySet }
  | { readonly do: 'revoke' | 'drop' | 'end' | 'delete'; readonly key: number }
  | { readonly do: 'copy'; readonly place: number; readonly key: number }
  | { readonly do: 'list'; readonly service: string; readonly keys: KeySet; readonly wasMatched: boolean }
  /** Gives the template the stamp of the list as it was when this was decided. */
  | { readonly do: 'wire'; readonly service: string; readonly isLate: boolean }

export interface World {
  /** How many keys were ever made. */
  readonly minted: number
  readonly generations: readonly Stored[]
  readonly services: readonly Service[]
  /** The key that lies in each namespace. */
  readonly copies: readonly (number | undefined)[]
  readonly request: string | undefined
  readonly revocations: KeySet
  /** Keys that were ever marked as revoked. */
  readonly revoked: KeySet
  /** Deleted Secrets of revoked keys, as a backup from before the revocation has them. */
  readonly backups: readonly Stored[]
  /** Requests that a key was made for. */
  readonly served: readonly string[]
  /** Keys that were made current because every service had loaded them. */
  readonly promoted: KeySet
  /** The key that was in use when the user deleted its Secret. */
  readonly lost: number | undefined
  /** What each operator still has in hand. */
  readonly operators: readonly (readonly Write[])[]
  /** How often the user may still do something. */
  readonly left: {
    readonly requests: number
    readonly revocations: number
    readonly matches: number
    readonly deletions: number
    readonly restores: number
  }
}

export const isStandingIn = ({ retiresIn, isRevoked, isEnding }: Stored): boolean =>
  retiresIn === undefined && !isRevoked && !isEnding

/** The newest that is written down to be in use; else the newest that is still accepted; else the lowest that stands. */
export const currentIn = ({ generations, revoked }: World): Stored | undefined => {
  const inOrder = generations.filter(({ key }) => !has(revoked, key)).sort((a, b) => a.number - b.number)
  return (
    inOrder.findLast((one) => isStandingIn(one) && one.isPromoted) ??
    inOrder.findLast(({ retiresIn, isRevoked, isEnding }) => retiresIn !== undefined && !isRevoked && !isEnding) ??
    inOrder.find(isStandingIn)
  )
}

export const storedAs = (world: World, key: number): Stored | undefined =>
  world.generations.find((generation) => generation.key === key)

/** The same text for the same world; operators are alike, so it does not matter which of them has what in hand. */
export const textOf = (world: World): string => {
  const [one = [], other = []] = world.operators
  const [mine, others] = [inHand(one), inHand(other)]
  return mine < others ? `${sceneOf(world)}${mine}|${others}` : `${sceneOf(world)}${others}|${mine}`
}

/** All but what operators have in hand. */
export const sceneOf = (world: World): string => {
  const { left, request = '', served, minted, revocations, revoked, promoted, lost = '' } = world
  const limits = `${left.requests}${left.revocations}${left.matches}${left.deletions}${left.restores}`
  let text = `${minted}.${request}.${revocations}.${revoked}.${promoted}.${lost}.${limits}`
  for (const one of served) text += one
  for (const one of world.backups) text += `b${storedText(one)}`
  for (const one of world.copies) text += `,${one ?? ''}`
  for (const one of world.generations) text += storedText(one)
  for (const one of world.services) text += serviceText(one)
  return text
}

const storedText = (one: Stored): string =>
  `|${one.key}.${one.number}${one.request ?? ''}.${one.age}.${one.retiresIn ?? ''}.${one.remembered}.${flags(one.isRevoked, one.isEnding)}${one.isDropped ? '-' : ''}${one.isLate ? '!' : ''}${one.isPromoted ? '^' : ''}${one.ancestry}`

const serviceText = ({ isMatched, list, dropped, isWired, pods }: Service): string => {
  let text = `|${list}.${dropped}.${flags(isMatched, isWired)}`
  for (const { keys, owed, isNew } of pods) text += `,${keys}.${owed}.${flags(isNew)}`
  return text
}

const flags = (one: boolean, other = false): number => (one ? 1 : 0) + (other ? 2 : 0)

const inHand = (writes: readonly Write[]): string => {
  let text = ''
  for (const write of writes) text += `${printWrite(write)};`
  return text
}

export const printWrite = (write: Write): string => {
  switch (write.do) {
    case 'mint':
      return `mint#${write.number}${write.isCurrent ? '^' : ''}(${write.request ?? ''};${write.ancestry};${write.remembered})`
    case 'retire':
      return `retire k${write.key} in ${write.inTime}`
    case 'promote':
      return `promote k${write.key} ${write.loadedBy === undefined ? 'at once' : `for ${write.loadedBy}`}`
    case 'copy':
      return `copy k${write.key} to ${write.place}`
    case 'list':
      return `list ${write.keys.toString(2)} at ${write.service}${write.wasMatched ? '' : ' unmatched'}`
    case 'wire':
      return `wire ${write.service}${write.isLate ? ' late' : ''}`
    case 'remember':
      return `remember ${write.remembered.toString(2)} on k${write.key}`
    case 'revoke':
    case 'drop':
    case 'end':
    case 'delete':
      return `${write.do} k${write.key}`
    default:
      return write satisfies never
  }
}
