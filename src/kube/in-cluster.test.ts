import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aScratch } from '../../test/control-plane/scratch.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { createAuthority } from '../dev/control-plane/certificates.ts'
import { seconds } from '../pure/duration.ts'
import { inClusterCredentials } from './in-cluster.ts'

let authorities: readonly [string, string]
beforeAll(async () => {
  const [first, second] = await Promise.all([createAuthority(), createAuthority()])
  authorities = [first.certificate, second.certificate]
})

/** A service account as the kubelet mounts it: a link to a directory that is swapped as a whole. */
const aMount = async () => {
  const scratch = await aScratch()
  const { directory } = scratch
  let generation = 0
  const mount = async (token: string, ca = authorities[0]) => {
    const folder = `..generation-${++generation}`
    await mkdir(join(directory, folder))
    await writeFile(join(directory, folder, 'token'), token)
    await writeFile(join(directory, folder, 'ca.crt'), ca)
    await symlink(folder, join(directory, '..new'))
    await rename(join(directory, '..new'), join(directory, '..data'))
  }
  await mount('first\n')
  for (const name of ['token', 'ca.crt']) await symlink(join('..data', name), join(directory, name))
  const clock = new TurnedClock()
  const credentials = inClusterCredentials({ host: '10.0.0.1', port: '443' }, clock, directory)
  return { credentials, clock, mount, unmount: () => rm(join(directory, '..data')), ...scratch }
}

const identity = (token: string, ca = authorities[0]) => ({
  tls: { ca, cert: undefined, key: undefined, servername: undefined },
  headers: [['authorization', `Bearer ${token}`]],
})

test.for([
  { host: '10.0.0.1', port: '443', server: 'https://10.0.0.1:443' },
  { host: 'fd00::1', port: '6443', server: 'https://[fd00::1]:6443' },
  { host: 'kubernetes.default', port: '443', server: 'https://kubernetes.default:443' },
])('a pod reaches its API server at $server', ({ server, ...address }) => {
  expect(inClusterCredentials(address, new TurnedClock()).server).toBe(server)
})

test('token and CA are those of the mounted service account, and the same until they are replaced', async () => {
  await using pod = await aMount()
  const before = await pod.credentials.current()
  expect(before).toEqual(identity('first'))
  pod.clock.turn(seconds(10))
  expect(await pod.credentials.current()).toBe(before)
})

test('a replaced token and CA are used within ten seconds', async () => {
  await using pod = await aMount()
  await pod.credentials.current()
  await pod.mount('second', authorities[1])
  expect(await pod.credentials.current()).toEqual(identity('first'))
  pod.clock.turn(seconds(10))
  expect(await pod.credentials.current()).toEqual(identity('second', authorities[1]))
})

test('after a 401 they are read at once', async () => {
  await using pod = await aMount()
  const before = await pod.credentials.current()
  await pod.mount('second')
  expect(pod.credentials.refused(before)).toBe(true)
  expect(await pod.credentials.current()).toEqual(identity('second'))
})

test('files that are gone, empty or broken for a moment do not replace good ones', async () => {
  await using pod = await aMount()
  const before = await pod.credentials.current()
  for (const spoil of [() => pod.unmount(), () => pod.mount(' \n', 'no certificate'), () => pod.mount('', '')]) {
    await spoil()
    pod.clock.turn(seconds(10))
    expect(await pod.credentials.current()).toBe(before)
  }
  await pod.mount('second')
  pod.clock.turn(seconds(10))
  expect(await pod.credentials.current()).toEqual(identity('second'))
})

test('a pod without a mounted service account says which file is missing', async () => {
  await using pod = await aMount()
  await pod.unmount()
  // Both are missing, and are looked for at once.
  await expect(pod.credentials.current()).rejects.toThrow(new RegExp(`${pod.directory}/(ca\\.crt|token): ENOENT`))
})

test('a refused identity that was replaced meanwhile leaves its successor alone', async () => {
  await using pod = await aMount()
  const first = await pod.credentials.current()
  await pod.mount('second')
  pod.credentials.refused(first)
  const second = await pod.credentials.current()
  await pod.mount('third')
  expect(pod.credentials.refused(first)).toBe(true)
  expect(await pod.credentials.current()).toBe(second)
})
