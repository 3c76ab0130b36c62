import type { KubeObject } from '../../../src/pure/object.ts'

/** A place in an object, and what is there. */
export interface Place {
  readonly steps: readonly (string | number)[]
  readonly value: unknown
}

/** Every place that people write to: labels, annotations, and all beside metadata and status. */
export const placesOf = ({ apiVersion: _version, kind: _kind, metadata, ...rest }: KubeObject): readonly Place[] => {
  const { labels, annotations } = metadata
  const { status: _status, ...body } = rest as Readonly<Record<string, unknown>>
  return placesBelow({ metadata: { labels, annotations }, ...body })
}

const placesBelow = (value: unknown, steps: Place['steps'] = []): readonly Place[] => {
  if (typeof value !== 'object' || value === null) return []
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([step, below]: [string | number, unknown]) => {
    const place = { steps: [...steps, step], value: below }
    return below === undefined ? [] : [place, ...placesBelow(below, place.steps)]
  })
}

export const leavesOf = (live: KubeObject): readonly Place[] =>
  placesOf(live).filter(({ value }) => typeof value !== 'object')

/** A JSON pointer. */
export const pathTo = ({ steps }: Place): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Chances that are the same each time. */
export interface Dice {
  below(limit: number): number
  oneOf<T>(choices: readonly T[]): T | undefined
}

export const diceOf = (seed: number): Dice => {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, oneOf: (choices) => choices[below(choices.length)] }
}
