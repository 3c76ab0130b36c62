import fc from 'fast-check'
import { expect, test } from 'vitest'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import { chanceOf, type Weather } from './weather.ts'
import { World } from './world.ts'

/** What happens to one process, and for how long the world then goes on. */
type Turn = readonly [
  happening:
    | { readonly it: 'runs' | 'is blocked' | 'is suspended' | 'stops' | 'dies' }
    | { readonly wallGoes: number }
    | { readonly weather: Weather },
  place: number | undefined,
  wait: number,
]

const happening = fc.oneof(
  fc.record({ it: fc.constantFrom('runs', 'is blocked', 'is suspended', 'stops', 'dies') }),
  fc.record({ wallGoes: fc.integer({ min: -3000, max: 3000 }) }),
  fc.record({ weather: fc.constantFrom<Weather>('fair', 'slow', 'stormy') }),
)

const schedule: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.tuple(happening, fc.option(fc.nat(2), { nil: undefined, freq: 1 }), fc.integer({ min: 0, max: 20_000 })),
  { minLength: 5, maxLength: 25 },
)

const happen = (world: World, [what, place]: Turn): void => {
  const process = world.at(place)
  if ('weather' in what) process.weather = what.weather
  else if ('wallGoes' in what) process.clock.setWall(milliseconds(what.wallGoes))
  else if (what.it === 'runs') process.state = 'running'
  else if (what.it === 'is blocked') process.state = 'blocked'
  else if (what.it === 'is suspended') process.state = 'suspended'
  else {
    if (what.it === 'dies') process.state = 'blocked'
    else process.stop()
    world.replace(process)
  }
}

test('whatever the clocks, the network and the hosts do, what one leader was permitted has ended before another can lead; and in the end one leads', {
  timeout: 300_000,
}, async () => {
  let handOvers = 0
  let writes = 0
  await fc.assert(
    fc.asyncProperty(schedule, fc.integer({ min: 2, max: 3 }), fc.nat(), async (turns, size, seed) => {
      const world = new World(size, chanceOf(seed))
      await world.pass(seconds(5))
      for (const turn of turns) {
        happen(world, turn)
        await world.pass(milliseconds(turn[2]))
      }
      world.calmDown()
      await world.pass(seconds(60))

      expect(world.faults).toEqual([])
      expect(world.strayWrites).toEqual([])
      expect(world.permitted.map(({ leadership }) => leadership.identity)).toEqual([world.holdings.at(-1)?.by])
      handOvers += world.holdings.length - 1
      writes += world.written.length
    }),
    { seed: 15, numRuns: 200 },
  )
  expect(handOvers).toBeGreaterThan(300)
  expect(writes).toBeGreaterThan(5000)
})
