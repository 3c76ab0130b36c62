import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentKeyOf } from '../../src/pure/agent-key.ts'
import { revealToWire } from '../../src/pure/secret-text.ts'
import recorded from '../fixtures/bundle-biller.json' with { type: 'json' }
import { directory, runLedger } from './ledger-run.ts'
import { ledgerWorld } from './ledger-world.ts'

const seed = Buffer.from(recorded.signingKey, 'hex')
const key = revealToWire(agentKeyOf(seed))
const publicKey = agentKeyOf(seed)['pubkey.hex']

/** An agent like the one whose bundle was recorded, but for its name, and a place for files. */
const billerWorld = async () => {
  const world = await ledgerWorld()
  await world.createAgent({ scopes: recorded.scopes })
  await world.createGeneration(1, key)
  const place = join(directory, randomUUID())
  mkdirSync(place)
  const bytes = readFileSync(new URL('../fixtures/bundle-biller.json', import.meta.url), 'utf8')
  return {
    ...world,
    bundle: bytes.replace('"biller"', `"${world.agent}"`),
    fileIn: (name: string) => join(place, name),
    getKey: (...flags: readonly string[]) => runLedger(['agents', 'get-key', world.agent, ...flags]),
  }
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('KL-15 a bundle goes to stdout for a program that reads it, and is all that is there', async () => {
  await using world = await billerWorld()

  expect(await world.getKey('--bundle', '-')).toEqual({ code: 0, stdout: world.bundle, stderr: '' })
})

test('KL-15 the bundle of an agent without scopes that is god says so', async () => {
  await using world = await ledgerWorld()
  await world.createAgent({ god: true })
  await world.createGeneration(1, key)

  const { stdout } = await runLedger(['agents', 'get-key', world.agent, '--bundle', '-'])

  expect(stdout).toBe(
    `{\n  "signingKey": "${recorded.signingKey}",\n  "keyId": "${recorded.keyId}",\n  "scopes": null,\n  "subject": "${world.agent}",\n  "god": true\n}\n`,
  )
})

test('KL-16 a bundle in a file is its owner’s alone, also where there was a file that others could read', async () => {
  await using world = await billerWorld()
  const [fresh, old] = [world.fileIn('fresh'), world.fileIn('old')]
  writeFileSync(old, 'something longer than nothing'.repeat(100))
  chmodSync(old, 0o666)

  for (const file of [fresh, old]) {
    expect(await world.getKey('--bundle', file)).toEqual({ code: 0, stdout: '', stderr: `wrote ${file}\n` })
    expect(readFileSync(file, 'utf8')).toBe(world.bundle)
    expect(modeOf(file)).toBe('600')
  }
  expect(readdirSync(dirname(fresh)).sort()).toEqual(['fresh', 'old'])
})

test('KL-16 a bundle follows no symbolic link, and replaces nothing but a file', async () => {
  await using world = await billerWorld()
  const [target, link, dangling, folder] = ['target', 'link', 'dangling', 'folder'].map(world.fileIn) as [
    string,
    string,
    string,
    string,
  ]
  writeFileSync(target, 'untouched')
  symlinkSync(target, link)
  symlinkSync(world.fileIn('nowhere'), dangling)
  mkdirSync(folder)

  for (const [path, what] of [
    [link, 'a symbolic link'],
    [dangling, 'a symbolic link'],
    [folder, 'no regular file'],
  ] as const) {
    const { code, stderr } = await world.getKey('--bundle', path)
    expect(code).toBe(1)
    expect(stderr).toBe(`kubectl-ledger: cannot write ${path}: it is ${what}; name a file, or - for stdout\n`)
  }
  expect(readFileSync(target, 'utf8')).toBe('untouched')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(existsSync(world.fileIn('nowhere'))).toBe(false)
})

test('KL-16 a place that cannot be written to is named, and nothing is left there', async () => {
  await using world = await billerWorld()
  const file = join(world.fileIn('missing'), 'bundle')

  expect(await world.getKey('--bundle', file)).toEqual({
    code: 1,
    stdout: '',
    stderr: `kubectl-ledger: cannot write ${file}: ENOENT\n`,
  })
})

test('KL-17 --output-dir makes a private directory with the seed for its owner and the public key for all', async () => {
  await using world = await billerWorld()
  const folder = world.fileIn('keys')

  const { code, stdout } = await world.getKey('-d', folder)

  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(modeOf(folder)).toBe('700')
  expect(readdirSync(folder).sort()).toEqual(['pubkey.hex', 'seed.hex'])
  expect(readFileSync(join(folder, 'seed.hex'), 'utf8')).toBe(recorded.signingKey)
  expect(readFileSync(join(folder, 'pubkey.hex'), 'utf8')).toBe(publicKey)
  expect([modeOf(join(folder, 'seed.hex')), modeOf(join(folder, 'pubkey.hex'))]).toEqual(['600', '644'])
})

test.each([[['--bundle', '-', '--seed-only']], [['--bundle', 'x', '--output-dir', 'y']], [['--seed-only', '-d', 'y']]])(
  'KL-17 only one form at a time: %j',
  async (flags) => {
    const { code, stdout, stderr } = await runLedger(['agents', 'get-key', 'any', ...flags])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: option .* cannot be used with option/)
  },
)
