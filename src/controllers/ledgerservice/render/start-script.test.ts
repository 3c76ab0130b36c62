import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startScript } from './start-script.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'start-script-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const program = (path: string) => writeFileSync(path, '#!/bin/sh\necho "$0" "$@"\n', { mode: 0o755 })

/** What a replica is started with. */
const startOf = (index: number, path = '/usr/bin:/bin'): string =>
  execFileSync('/bin/sh', ['-c', startScript], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: path,
      POD_INDEX: String(index),
      POD_NAME: `ledger-my-books-${index}`,
      POD_NAMESPACE: 'team-a',
      GRPC_PORT: '8888',
      WAL_DIR: folder,
    },
  }).trim()

test('LSV-12 the first replica begins the cluster', () => {
  program(join(folder, 'ledger-server'))
  expect(startOf(0)).toBe('./ledger-server run --node-id 1 --bootstrap')
})

test('LSV-12 every other replica joins the first', () => {
  program(join(folder, 'ledger-server'))
  const first = 'ledger-my-books-0.ledger-my-books-headless.team-a.svc.cluster.local:8888'
  expect(startOf(2)).toBe(`./ledger-server run --node-id 3 --join ${first}`)
})

test('LSV-12 a replica that has been a member begins and joins nothing any more', () => {
  program(join(folder, 'ledger-server'))
  writeFileSync(join(folder, 'CLUSTER_JOINED'), '')
  expect([startOf(0), startOf(1)]).toEqual(['./ledger-server run --node-id 1', './ledger-server run --node-id 2'])
})

test('LSV-12 the program is found on the PATH when it is not in the working directory', () => {
  program(join(folder, 'ledger-server'))
  const found = execFileSync('/bin/sh', ['-c', `cd / && ${startScript}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin`, POD_INDEX: '0', WAL_DIR: '/nowhere' },
  })
  expect(found.trim()).toBe(`${folder}/ledger-server run --node-id 1 --bootstrap`)
})

test('LSV-12 nothing in the script is replaced by the kubelet', () => {
  const expanded = startScript.match(/\$\$|\$\([A-Za-z_]+\)/g)
  expect(expanded).toBeNull()
})
