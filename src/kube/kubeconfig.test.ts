import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aScratch, type Scratch } from '../../test/control-plane/scratch.ts'
import { aKubeconfig, inBase64 } from '../../test/fixtures/kubeconfig.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { createAuthority, type KeyAndCertificate } from '../dev/control-plane/certificates.ts'
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

const scratch = async (): Promise<Scratch> => {
  const made = await aScratch()
  onTestFinished(() => made[Symbol.asyncDispose]())
  return made
}

const clock = new TurnedClock()

const read = async (content: string, into?: Scratch) => {
  const folder = into ?? (await scratch())
  return readKubeconfig(await folder.write('config', content), clock)
}

test('a certificate in the file is read', async () => {
  const cluster = { 'certificate-authority-data': inBase64(authority), 'tls-server-name': 'api' }
  const user = {
    'client-certificate-data': inBase64(client.certificate),
    // Wrapped, as some tools write it.
    'client-key-data': inBase64(client.key).replaceAll(/.{64}/g, '$&\n'),
  }
  const credentials = await read(aKubeconfig({ cluster, user }))
  expect(credentials.server).toBe('https://127.0.0.1:6443')
  expect(await credentials.current()).toEqual({
    tls: { ca: authority, cert: client.certificate, key: client.key, servername: 'api' },
    headers: [],
  })
})

test('a certificate beside the file is read from there', async () => {
  const folder = await scratch()
  await folder.write('ca.pem', authority)
  await folder.write('cert.pem', client.certificate)
  const user = { 'client-certificate': 'cert.pem', 'client-key': await folder.write('key.pem', client.key) }
  const credentials = await read(aKubeconfig({ cluster: { 'certificate-authority': 'ca.pem' }, user }), folder)
  expect((await credentials.current()).tls).toMatchObject({
    ca: authority,
    cert: client.certificate,
    key: client.key,
  })
})

test('a certificate in the file wins over one beside it', async () => {
  const cluster = { 'certificate-authority-data': inBase64(authority), 'certificate-authority': 'nowhere.pem' }
  expect((await (await read(aKubeconfig({ cluster }))).current()).tls.ca).toBe(authority)
})

test('a pair that does not fit together for a moment does not replace the one that does', async () => {
  const folder = await scratch()
  const user = { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' }
  await folder.write('cert.pem', client.certificate)
  await folder.write('key.pem', client.key)
  const credentials = await read(aKubeconfig({ user }), folder)
  const before = await credentials.current()

  await folder.write('cert.pem', other.certificate)
  clock.turn(seconds(10))
  expect(await credentials.current()).toBe(before)

  await folder.write('key.pem', other.key)
  clock.turn(seconds(10))
  expect((await credentials.current()).tls).toMatchObject({ cert: other.certificate, key: other.key })
})

const bearer = (token: string) => [['authorization', `Bearer ${token}`]]

test('a token is read', async () => {
  const credentials = await read(aKubeconfig({ user: { token: 'secret' } }))
  const identity = await credentials.current()
  expect(identity.headers).toEqual(bearer('secret'))
  expect(credentials.refused(identity)).toBe(false)
})

test('a token file wins over the token beside it, which stands in until the file can be read', async () => {
  const folder = await scratch()
  const credentials = await read(aKubeconfig({ user: { token: 'written', tokenFile: 'token' } }), folder)
  expect((await credentials.current()).headers).toEqual(bearer('written'))

  await folder.write('token', 'from-the-file\n')
  clock.turn(seconds(10))
  expect((await credentials.current()).headers).toEqual(bearer('from-the-file'))

  await folder.write('token', '')
  clock.turn(seconds(10))
  expect((await credentials.current()).headers).toEqual(bearer('from-the-file'))
})

test('whom to impersonate goes into headers, one for each value', async () => {
  const user = {
    as: 'jane',
    'as-uid': '42',
    'as-groups': ['dev', 'ops'],
    'as-user-extra': { 'example.com/scopes': ['a', 'b'], '100%': ['c'] },
  }
  expect((await (await read(aKubeconfig({ user }))).current()).headers).toEqual([
    ['Impersonate-User', 'jane'],
    ['Impersonate-Uid', '42'],
    ['Impersonate-Group', 'dev'],
    ['Impersonate-Group', 'ops'],
    ['Impersonate-Extra-example.com%2Fscopes', 'a'],
    ['Impersonate-Extra-example.com%2Fscopes', 'b'],
    ['Impersonate-Extra-100%25', 'c'],
  ])
})

test('what changes neither who we are nor whom we trust is ignored, and so is what is empty', async () => {
  const cluster = {
    extensions: [{ name: 'x', extension: {} }],
    'disable-compression': true,
    'insecure-skip-tls-verify': false,
    'proxy-url': '',
    'certificate-authority': null,
  }
  const user = { extensions: [], username: '', 'as-groups': [], exec: null }
  const contexts = [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'n' } }]
  const more = { kind: 'Config', apiVersion: 'v1', preferences: {}, contexts }
  expect(await (await read(aKubeconfig({ cluster, user, ...more }))).current()).toEqual({
    tls: { ca: undefined, cert: undefined, key: undefined, servername: undefined },
    headers: [],
  })
})

test('a user that is not used may be anything', async () => {
  const users = [
    { name: 'u', user: {} },
    { name: 'old', user: { 'auth-provider': {} } },
  ]
  await expect(read(aKubeconfig({ users }))).resolves.toBeDefined()
})

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' }

test.for([
  { name: 'a file that is not YAML', content: '{', message: 'missing, unreadable or not YAML' },
  { name: 'a file that is a list', content: '[]', message: 'wrong or missing content' },
  { name: 'an empty file', content: '', message: 'it has no current-context' },
  {
    name: 'no current context',
    content: aKubeconfig({ 'current-context': undefined }),
    message: 'it has no current-context',
  },
  {
    name: 'an unknown context',
    content: aKubeconfig({ 'current-context': 'there' }),
    message: 'it has no context "there"',
  },
  {
    name: 'a context without a cluster',
    content: aKubeconfig({ contexts: [{ name: 'here', context: { user: 'u' } }] }),
    message: 'context "here" has no cluster',
  },
  { name: 'an unknown cluster', content: aKubeconfig({ clusters: [] }), message: 'it has no cluster "c"' },
  { name: 'an unknown user', content: aKubeconfig({ users: undefined }), message: 'it has no user "u"' },
  { name: 'users that are no list', content: aKubeconfig({ users: 'u' }), message: 'wrong or missing users' },
  {
    name: 'two users of a name',
    content: aKubeconfig({ users: [{ name: 'u' }, { name: 'u' }] }),
    message: 'it has two users "u"',
  },
])('$name is said in a sentence', async ({ content, message }) => {
  await expect(read(content)).rejects.toThrow(message)
})

test.for([
  [{ server: 'nowhere' }, 'wrong or missing server'],
  [{ server: 'ftp://127.0.0.1' }, 'wrong or missing server'],
  [{ 'certificate-authority-data': inBase64('no PEM') }, 'certificate-authority-data holds no certificate'],
  [{ 'insecure-skip-tls-verify': true }, 'insecure-skip-tls-verify is refused: name the certificate-authority'],
  [{ 'proxy-url': 'http://proxy' }, 'proxy-url is not supported'],
  [{ 'trust-everybody': true }, 'trust-everybody is not supported'],
] as const)('a cluster with %j is refused with a sentence', async ([cluster, why]) => {
  await expect(read(aKubeconfig({ cluster }))).rejects.toThrow(`cluster "c": ${why}`)
})

test.for([
  [{ username: 'jane', password: 'x' }, 'username and password are not supported'],
  [{ 'auth-provider': { name: 'oidc' } }, 'auth-provider is not supported: use the exec plugin'],
  [{ 'client-certificate': 'cert.pem' }, 'client-certificate and client-key go together'],
  [{ 'client-key-data': inBase64('KEY') }, 'client-certificate and client-key go together'],
  [{ token: 'two words' }, 'token has a character that no header can carry'],
  [{ 'as-groups': ['dev'] }, 'as-uid, as-groups and as-user-extra mean nothing without as'],
  [{ as: 'jane\r\nevil: yes' }, 'as, as-uid, as-groups or as-user-extra has a character that no header can carry'],
  [{ 'as-somebody': 'jane' }, 'as-somebody is not supported'],
  [{ exec, token: 't' }, 'exec and a certificate or token are two answers to who we are'],
  [{ exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } }, 'exec.apiVersion is not supported'],
  [{ exec: { ...exec, interactiveMode: 'Always' } }, 'exec.interactiveMode Always is refused: there is nobody to ask'],
  [{ exec: { ...exec, command: undefined } }, 'wrong or missing exec.command'],
  [{ exec: { ...exec, sudo: true } }, 'exec.sudo is not supported'],
] as const)('a user with %j is refused with a sentence', async ([user, why]) => {
  await expect(read(aKubeconfig({ user }))).rejects.toThrow(`user "u": ${why}`)
})

test('a pair in the file that does not fit together is refused with a sentence', async () => {
  const user = {
    'client-certificate-data': inBase64(client.certificate),
    'client-key-data': inBase64(other.key),
  }
  await expect(read(aKubeconfig({ user }))).rejects.toThrow('client-certificate and client-key do not fit together')
})

test('a missing file is said in a sentence', async () => {
  const missing = join((await scratch()).directory, 'nothing')
  expect(() => readKubeconfig(missing, clock)).toThrow('missing, unreadable or not YAML')
})

test('a credential’s file that is missing is named', async () => {
  const folder = await scratch()
  const credentials = await read(aKubeconfig({ user: { tokenFile: 'token' } }), folder)
  await expect(credentials.current()).rejects.toThrow(`cannot read the token ${folder.directory}/token: ENOENT`)
})

test('a wrong credential is named and not quoted', async () => {
  const content = aKubeconfig({ user: { 'client-key-data': '-----hunter2-----', token: ['hunter2'] } })
  await expect(read(content)).rejects.toThrow('user "u": wrong or missing client-key-data; wrong or missing token')
  await expect(read(content)).rejects.not.toThrow('hunter2')
})
