import { expect, test } from 'vitest'
import { gates } from '../../tools/gates/all.ts'
import { aProject } from './project.ts'

test('a tree without a fault passes every gate', { timeout: 180_000 }, async () => {
  using project = aProject()

  const { green, output } = await project.run('tools/check.ts')

  expect(output).not.toContain('FAILED')
  expect(output.match(/ ok /g)).toHaveLength(gates.length)
  expect(green).toBe(true)
})

test('a tree without sources passes no gate', async () => {
  using project = aProject()

  const { green, output } = await project.run('tools/check.ts', '--root', `${project.root}/docs`)

  expect(output).toContain('no TypeScript under')
  expect(green).toBe(false)
})

test('an unknown gate is refused', async () => {
  using project = aProject()

  const { green, output } = await project.run('tools/check.ts', '--only', 'vibes')

  expect(output).toContain('no gate vibes')
  expect(green).toBe(false)
})
