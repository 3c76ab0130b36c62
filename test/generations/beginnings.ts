import type { Bounds } from './steps.ts'
import type { Service, World } from './world.ts'

/** How many pods a service has. */
type Sizes = Readonly<Record<string, number>>

interface Beginning {
  readonly services: Sizes
  readonly copies: number
  readonly left: Partial<World['left']>
}

/** How far an exploration goes. */
export interface Scope extends Beginning, Bounds {}

/** All have the first key. */
export const atRest = ({ services, copies, left }: Beginning): World => ({
  ...nothing({ services, copies, left }),
  minted: 1,
  generations: [
    {
      key: 0,
      number: 1,
      request: undefined,
      lineage: [],
      ancestry: '',
      age: 0,
      isPromoted: true,
      retiresIn: undefined,
      isRevoked: false,
      isDropped: false,
      remembered: 0,
      isEnding: false,
      isLate: false,
    },
  ],
  services: Object.entries(services).map(([name, size]) => serviceOf(name, size, true)),
  copies: new Array<number>(copies).fill(0),
  promoted: 1,
})

/** As at rest, but this service is not matched, and has no key. */
export const atRestWithout = (name: string, beginning: Beginning): World => {
  const world = atRest(beginning)
  const without = (service: Service): Service => ({ ...serviceOf(name, service.pods.length, false), isMatched: false })
  return { ...world, services: world.services.map((service) => (service.name === name ? without(service) : service)) }
}

/** No key was ever made. */
export const nothing = ({ services, copies, left }: Beginning): World => ({
  minted: 0,
  generations: [],
  services: Object.entries(services).map(([name, size]) => serviceOf(name, size, false)),
  copies: new Array<undefined>(copies).fill(undefined),
  request: undefined,
  revocations: 0,
  revoked: 0,
  backups: [],
  served: [],
  promoted: 0,
  lost: undefined,
  operators: [[], []],
  left: { requests: 0, revocations: 0, matches: 0, deletions: 0, restores: 0, ...left },
})

const serviceOf = (name: string, size: number, hasKey: boolean): Service => {
  const keys = hasKey ? 1 : 0
  const pods = Array.from({ length: size }, () => ({ keys, owed: keys, isNew: true }))
  return { name, isMatched: true, list: keys, dropped: 0, isWired: true, pods }
}
