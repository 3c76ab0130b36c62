import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aScratch } from '../../test/control-plane/scratch.ts'
import { aKubeconfig, inBase64 } from '../../test/fixtures/kubeconfig.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { createAuthority, type KeyAndCertificate } from '../dev/control-plane/certificates.ts'
import { eventually } from '../dev/eventually.ts'
import { seconds } from '../pure/duration.ts'
import { readKubeconfig } from './kubeconfig.ts'

let authority: string
let client: KeyAndCertificate
let other: KeyAndCertificate
beforeAll(async () => {
  const made = await createAuthority()
  authority = made.certificate
  client = await made.issueClient({ user: 'u', group: 'g' })
  other = await made.issueClient({ user: 'v', group: 'g' })
})

const apiVersion = 'client.authentication.k8s.io/v1'

interface Setup {
  /** What the plugin prints; `$n` is the number of its run. */
  readonly status?: object
  readonly prints?: string
  /** Shell lines that it runs first. */
  readonly first?: readonly string[]
  readonly exec?: object
  readonly cluster?: object
}

/** Credentials from a plugin that is a real program: it counts its runs and keeps what it was told. */
const aPlugin = async ({ status, prints, first = [], exec = {}, cluster = {} }: Setup) => {
  const scratch = await aScratch()
  onTestFinished(() => scratch[Symbol.asyncDispose]())
  const { directory } = scratch
  await mkdir(join(directory, 'bin'))
  const answer = prints ?? JSON.stringify({ apiVersion, kind: 'ExecCredential', status })
  await scratch.script(
    'bin/login',
    `cd '${directory}'`,
    'echo run >> runs',
    'n=$(grep -c run runs)',
    'printf "%s" "$KUBERNETES_EXEC_INFO" > told',
    'printf "%s|" "$@" "$EXTRA" "$HOME" > called',
    ...first,
    `cat <<END\n${answer}\nEND`,
  )
  const user = { exec: { apiVersion, command: './bin/login', ...exec } }
  const clock = new TurnedClock()
  const config = await scratch.write('config', aKubeconfig({ user, cluster }))
  return {
    clock,
    credentials: readKubeconfig(config, clock),
    read: (name: string) => readFile(join(directory, name), 'utf8'),
    runs: async () => (await readFile(join(directory, 'runs'), 'utf8')).trim().split('\n').length,
  }
}

const bearer = (token: string) => [['authorization', `Bearer ${token}`]]
const inSeconds = (n: number) => new Date(Date.now() + n * 1000).toISOString()

test('a plugin’s token is used, and kept while it says nothing about an end', async () => {
  const { credentials, clock, runs } = await aPlugin({ status: { token: 'token-$n' } })
  expect((await credentials.current()).headers).toEqual(bearer('token-1'))
  clock.turn(seconds(1_000_000))
  expect((await credentials.current()).headers).toEqual(bearer('token-1'))
  expect(await runs()).toBe(1)
})

test('a plugin’s certificate is used', async () => {
  const status = { clientCertificateData: client.certificate, clientKeyData: client.key }
  const { credentials } = await aPlugin({ status })
  expect(await credentials.current()).toMatchObject({
    tls: { cert: client.certificate, key: client.key },
    headers: [],
  })
})

test('twenty that ask at once start it once', async () => {
  const { credentials, runs } = await aPlugin({ status: { token: 'token-$n' } })
  const identities = await Promise.all(Array.from({ length: 20 }, () => credentials.current()))
  expect(new Set(identities).size).toBe(1)
  expect(await runs()).toBe(1)
})

test('it is run again shortly before its answer ends', async () => {
  const status = { token: 'token-$n', expirationTimestamp: inSeconds(3600) }
  const { credentials, clock } = await aPlugin({ status })
  await credentials.current()
  clock.turn(seconds(3600 - 60))
  expect((await credentials.current()).headers).toEqual(bearer('token-1'))
  clock.turn(seconds(59))
  expect((await credentials.current()).headers).toEqual(bearer('token-2'))
})

test('it is run again after a 401, once for all who were refused', async () => {
  const { credentials, runs } = await aPlugin({ status: { token: 'token-$n' } })
  const refused = await credentials.current()
  const renewed = await Promise.all(
    Array.from({ length: 20 }, () => {
      credentials.refused(refused)
      return credentials.current()
    }),
  )
  expect(credentials.refused(refused)).toBe(true)
  expect(new Set([...renewed, await credentials.current()]).size).toBe(1)
  expect(renewed[0]?.headers).toEqual(bearer('token-2'))
  expect(await runs()).toBe(2)
})

test('two kubeconfigs with users of one name have nothing to do with each other', async () => {
  const first = await aPlugin({ status: { token: 'first' } })
  const second = await aPlugin({ status: { token: 'second' } })
  expect((await first.credentials.current()).headers).toEqual(bearer('first'))
  expect((await second.credentials.current()).headers).toEqual(bearer('second'))
})

test('it gets its arguments, its environment and ours, and is told that there is nobody to ask', async () => {
  const exec = { args: ['--region', 'a b'], env: [{ name: 'EXTRA', value: 'more' }], interactiveMode: 'IfAvailable' }
  const { credentials, read } = await aPlugin({ status: { token: 't' }, exec })
  await credentials.current()
  expect(await read('called')).toBe(`--region|a b|more|${process.env['HOME'] ?? ''}|`)
  expect(JSON.parse(await read('told'))).toEqual({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } })
})

test('it is told of the cluster when it wants to', async () => {
  const extension = { audience: 'here' }
  const { credentials, read } = await aPlugin({
    status: { token: 't' },
    exec: { provideClusterInfo: true },
    cluster: {
      'certificate-authority-data': inBase64(authority),
      'tls-server-name': 'api',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension }],
    },
  })
  await credentials.current()
  expect(JSON.parse(await read('told'))).toMatchObject({
    spec: {
      interactive: false,
      cluster: {
        server: 'https://127.0.0.1:6443',
        'certificate-authority-data': inBase64(authority),
        'tls-server-name': 'api',
        config: extension,
      },
    },
  })
})

test('a plugin of version v1beta1 is asked in its own', async () => {
  const older = 'client.authentication.k8s.io/v1beta1'
  const prints = JSON.stringify({ apiVersion: older, kind: 'ExecCredential', status: { token: 't' } })
  const { credentials, read } = await aPlugin({ prints, exec: { apiVersion: older } })
  expect((await credentials.current()).headers).toEqual(bearer('t'))
  expect(JSON.parse(await read('told'))).toMatchObject({ apiVersion: older })
})

test('a command without a slash is found on the path', async () => {
  const script = `console.log(JSON.stringify({apiVersion:'${apiVersion}',kind:'ExecCredential',status:{token:'found'}}))`
  const { credentials } = await aPlugin({ exec: { command: 'node', args: ['-e', script] } })
  expect((await credentials.current()).headers).toEqual(bearer('found'))
})

const junk = { first: ['echo hunter2 >&2'], prints: 'hunter2' }
const answering = (content: object) => JSON.stringify({ apiVersion, kind: 'ExecCredential', ...content })

test.for<readonly [string, Setup, string]>([
  ['fails', { ...junk, first: ['echo hunter2 >&2; exit 3'] }, 'exited with 3: run it by hand to see why'],
  ['is killed', { ...junk, first: ['kill -TERM $$'] }, 'was ended by SIGTERM'],
  ['prints junk', junk, 'printed something else than an ExecCredential'],
  ['prints another kind', { prints: '{"kind":"Pod","apiVersion":"v1"}' }, 'printed something else'],
  [
    'answers in another version',
    { prints: answering({ apiVersion: `${apiVersion}beta1`, status: { token: 'hunter2' } }) },
    `answered in another version than ${apiVersion}`,
  ],
  ['gives no credentials', { status: {} }, 'printed no credentials'],
  ['gives no status', { prints: answering({}) }, 'printed no credentials'],
  ['gives a token of two words', { status: { token: 'hunter2 2' } }, 'printed a token with a character'],
  ['gives no real date', { status: { token: 'hunter2', expirationTimestamp: 'soon' } }, 'printed something else'],
  ['gives half a pair', { status: { clientKeyData: 'hunter2' } }, 'printed a certificate or a key without the other'],
  ['prints without an end', { first: ['yes hunter2'] }, 'printed far too much'],
  ['does not exist', { exec: { command: './nowhere' } }, 'could not be started (ENOENT)'],
  [
    'says where to get it',
    { exec: { command: 'no-such-login', installHint: 'Get it at\n  example.com.' } },
    'could not be started (ENOENT): Get it at example.com.',
  ],
])('a plugin that %s is named in a sentence that does not quote it', async ([, setup, why]) => {
  const { credentials } = await aPlugin(setup)
  const error = await credentials.current().catch((cause: unknown) => cause as Error)
  expect(error).toHaveProperty('message', expect.stringMatching(/^the credential plugin \S*(?:login|nowhere) /))
  expect(error).toHaveProperty('message', expect.stringContaining(why))
  expect(error).not.toHaveProperty('message', expect.stringContaining('hunter2'))
})

test('a pair of a plugin that does not fit together is not used', async () => {
  const status = { clientCertificateData: client.certificate, clientKeyData: other.key }
  const { credentials } = await aPlugin({ status })
  await expect(credentials.current()).rejects.toThrow('printed a certificate and a key that do not fit together')
})

test('a plugin that takes longer than a minute is ended', async () => {
  const { credentials, clock, read } = await aPlugin({ first: ['echo $$ > pid', 'exec sleep 600'] })
  const current = credentials.current()
  current.catch(() => undefined)
  const pid = await eventually('it runs', async () => Number(await read('pid').catch(() => '')) || undefined)
  clock.turn(seconds(60))
  await expect(current).rejects.toThrow('took longer than 60 s')
  await eventually('it has ended', () => !isRunning(pid))
})

test('a plugin that failed is asked again', async () => {
  const { credentials } = await aPlugin({ first: ['[ $n = 1 ] && exit 1'], status: { token: 'token-$n' } })
  await expect(credentials.current()).rejects.toThrow('exited with 1')
  expect((await credentials.current()).headers).toEqual(bearer('token-2'))
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
