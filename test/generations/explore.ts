import { type Breach, breachOf } from './invariants.ts'
import type { Protocol } from './look.ts'
import { tidied } from './perform.ts'
import { type Bounds, looksWith, type Step, stepsFrom } from './steps.ts'
import { textOf, type World } from './world.ts'

export interface Found {
  readonly breach: Breach
  /** How it came to it. */
  readonly trace: readonly string[]
}

export interface Explored {
  readonly states: number
  readonly steps: number
  readonly found: Found | undefined
}

/** Says what a world breaks by what would come of it. */
export type Judge = (world: World) => Breach | undefined

/** Visits every world that can come of these, nearest first, until a promise is broken. */
export const explore = (
  from: readonly World[],
  protocol: Protocol,
  bounds: Bounds,
  judges: readonly Judge[] = [],
): Explored => {
  const worlds: World[] = []
  const origins: { readonly parent: number; readonly what: string }[] = []
  const known = new Set<string>()
  const looks = looksWith(protocol, bounds)
  let steps = 0
  const meet = (world: World, parent: number, what: string): void => {
    const tidy = tidied(world)
    const text = textOf(tidy)
    if (known.has(text)) return
    known.add(text)
    worlds.push(tidy)
    origins.push({ parent, what })
  }
  const traceTo = (at: number): readonly string[] => {
    const { parent, what } = origins[at]!
    return parent === -1 ? [what] : [...traceTo(parent), what]
  }
  const foundBy = (breach: Breach, at: number, step?: Step): Explored => ({
    states: worlds.length,
    steps,
    found: { breach, trace: [...traceTo(at), ...(step === undefined ? [] : [step.what])] },
  })
  for (const world of from) meet(world, -1, 'it begins')
  for (let at = 0; at < worlds.length; at += 1) {
    const world = worlds[at]!
    const fault = judges.map((judge) => judge(world)).find((one) => one !== undefined)
    if (fault !== undefined) return foundBy(fault, at)
    for (const step of stepsFrom(world, looks, bounds)) {
      steps += 1
      const breach = breachOf(world, step, bounds)
      if (breach !== undefined) return foundBy(breach, at, step)
      if (step.world !== undefined) meet(step.world, at, step.what)
    }
  }
  return { states: worlds.length, steps, found: undefined }
}
