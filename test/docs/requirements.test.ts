import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testsIn } from '../../tools/test-names.ts'
import { protections } from '../wire/protections.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/requirements.md'), 'utf8')

/** Each test file on the page, with the names that follow it. */
const proofs = [...page.matchAll(/`([^`]+\.test\.ts)`((?: “[^”]+”)*)/g)].map(([, file = '', names = '']) => ({
  file,
  names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
}))

const testsOf = (file: string): readonly string[] =>
  existsSync(join(root, file))
    ? testsIn(file, readFileSync(join(root, file), 'utf8')).flatMap(({ name, skipped }) => (skipped ? [] : [name]))
    : []

test('every test that the page names exists, and is not skipped', () => {
  const missing = proofs.flatMap(({ file, names }) => {
    const known = testsOf(file)
    return names.filter((name) => !known.includes(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
  expect(proofs.flatMap(({ names }) => names).length).toBeGreaterThan(100)
})

test('every requirement has one line, and every line a test', () => {
  const lines = [...page.matchAll(/^\| (R\d+) \|.*$/gm)]
  expect(lines.map(([, number]) => number)).toEqual(Array.from({ length: 17 }, (_, n) => `R${n + 1}`))
  const [promises = ''] = page.split('## Protections')
  const bare = [...promises.matchAll(/^\| (?!---).+ \|$/gm)].filter(([line]) => !line.includes('.test.ts`'))
  expect(bare.map(([line]) => line)).toEqual(new Array(3).fill('| | what we do | proved by |'))
})

test('the protections on the page are those that are taken out', () => {
  const [, table = ''] = page.split('| protection |')
  const named = [...table.matchAll(/^\| (?!---)(.+) \|$/gm)].map(([, name]) => name)
  expect(named).toEqual(protections.map(({ name }) => name))
})
