import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { raftPortOf } from './ports.ts'
import { startScript } from './start-script.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'start-script-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const program = (path: string) => writeFileSync(path, '#!/bin/sh\necho "$0" "$@"\n', { mode: 0o755 })

/** What a replica is started with. */
const startOf = (index: number, env: Readonly<Record<string, string>> = { BIND_ADDR: '0.0.0.0:7777' }): string =>
  execFileSync('/bin/sh', ['-c', startScript], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...env,
      PATH: '/usr/bin:/bin',
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

const first = 'ledger-my-books-0.ledger-my-books-headless.team-a.svc.cluster.local'

test.each([
  ['0.0.0.0:7777', 7777],
  ['0.0.0.0:7700', 7700],
  ['[::]:7700', 7700],
  [':7778', 7778],
  ['ledger.example:65535', 65_535],
  ['0.0.0.0:07700', 7700],
  // An address without a usable port stands for the usual one, as it does for the container's port.
  ['0.0.0.0:65536', 7777],
  ['0.0.0.0:123456', 7777],
  ['0.0.0.0:0', 7777],
  ['0.0.0.0:00', 7777],
  ['0.0.0.0:', 7777],
  ['0.0.0.0:raft', 7777],
  ['0.0.0.0:-1', 7777],
  ['0.0.0.0:7700 ', 7777],
  ['0.0.0.0:7700\n', 7777],
  ['[::]', 7777],
  ['7700', 7777],
  ['nonsense', 7777],
  ['*', 7777],
  ['', 7777],
])('LSV-12 with bindAddr %j every other replica joins the first at Raft port %i', (bindAddr, port) => {
  program(join(folder, 'ledger-server'))
  expect(startOf(2, { BIND_ADDR: bindAddr })).toBe(`./ledger-server run --node-id 3 --join ${first}:${port}`)
  expect(raftPortOf(bindAddr)).toBe(port)
})

test('LSV-12 a replica without BIND_ADDR joins the first at the usual Raft port', () => {
  program(join(folder, 'ledger-server'))
  expect(startOf(1, {})).toBe(`./ledger-server run --node-id 2 --join ${first}:7777`)
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
