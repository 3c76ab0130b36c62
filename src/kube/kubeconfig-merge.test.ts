import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { aScratch, type Scratch } from '../../test/control-plane/scratch.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { type Choice, readKubeconfigs } from './kubeconfig.ts'

const files = {
  one: {
    clusters: [{ name: 'c', cluster: { server: 'https://one' } }],
    users: [{ name: 'u', user: { tokenFile: 'token' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  },
  two: {
    'current-context': 'x',
    clusters: [
      { name: 'c', cluster: { server: 'https://two', 'tls-server-name': 'two' } },
      { name: 'd', cluster: { server: 'https://d' } },
    ],
    users: [
      { name: 'u', user: { token: 'two', as: 'jane' } },
      { name: 'v', user: { token: 'v' } },
    ],
    contexts: [
      { name: 'x', context: { cluster: 'd', user: 'v' } },
      { name: 'z', context: { cluster: 'd', user: 'v' } },
      { name: 'nobody', context: { cluster: 'd' } },
    ],
  },
  three: { 'current-context': 'z', users: null },
  blank: { 'current-context': '' },
}

let scratch: Scratch
let pathOf: (name: string) => string
beforeAll(async () => {
  scratch = await aScratch()
  pathOf = (name) => join(scratch.directory, name, 'config')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(scratch.directory, name))
    await scratch.write(join(name, 'config'), stringify(content))
  }
  await scratch.write('one/token', 'one')
  mkdirSync(join(scratch.directory, 'broken'))
  await scratch.write('broken/config', '{')
})
afterAll(() => scratch[Symbol.asyncDispose]())

const read = (names: readonly string[], choice: Choice = {}) =>
  readKubeconfigs(names.map(pathOf), choice, new TurnedClock())

interface Case {
  readonly rule: string
  readonly files: readonly string[]
  readonly choice?: Choice
  readonly server: string
  readonly token?: string
}

// What kubectl says of the same files.
const cases: readonly Case[] = [
  { rule: 'the first file’s entries win', files: ['one', 'two'], server: 'https://one', token: 'one' },
  { rule: 'the order is the files’', files: ['two', 'one'], server: 'https://d', token: 'v' },
  { rule: 'files that are not there are skipped', files: ['nope', 'two'], server: 'https://d', token: 'v' },
  { rule: 'the first current-context wins', files: ['two', 'three'], server: 'https://d', token: 'v' },
  { rule: 'an empty current-context is none', files: ['blank', 'two'], server: 'https://d', token: 'v' },
  {
    rule: 'a current-context may name what another file has',
    files: ['three', 'two', 'one'],
    server: 'https://d',
    token: 'v',
  },
  {
    rule: 'another context can be chosen',
    files: ['one', 'two'],
    choice: { context: 'z' },
    server: 'https://d',
    token: 'v',
  },
  {
    rule: 'another cluster can be chosen',
    files: ['one', 'two'],
    choice: { cluster: 'd' },
    server: 'https://d',
    token: 'one',
  },
  {
    rule: 'another user can be chosen',
    files: ['one', 'two'],
    choice: { user: 'v' },
    server: 'https://one',
    token: 'v',
  },
  {
    rule: 'cluster and user need no context',
    files: ['one'],
    choice: { cluster: 'c', user: 'u' },
    server: 'https://one',
    token: 'one',
  },
  { rule: 'a context may have no user', files: ['two'], choice: { context: 'nobody' }, server: 'https://d' },
]

test.for(cases)('$rule', async ({ files: names, choice, server, token }) => {
  const credentials = read(names, choice)
  expect(credentials.server).toBe(server)
  expect(await credentials.current()).toEqual({
    // An entry wins as a whole: what it leaves out is not taken from its namesake.
    tls: { ca: undefined, cert: undefined, key: undefined, servername: undefined },
    headers: token === undefined ? [] : [['authorization', `Bearer ${token}`]],
  })
})

test('a file that is there and broken is not skipped', () => {
  expect(() => read(['two', 'broken'])).toThrow(`cannot read kubeconfig ${pathOf('broken')}`)
})

test('where no file is, all the places are named', () => {
  expect(() => read(['nope', 'nowhere'])).toThrow(
    `there is no kubeconfig: looked for ${pathOf('nope')}, ${pathOf('nowhere')}`,
  )
})

test('what is in none of the files is told with all of them', () => {
  expect(() => read(['one', 'two'], { context: 'y' })).toThrow(
    `cannot use kubeconfig ${pathOf('one')}, ${pathOf('two')}: it has no context "y"`,
  )
})
