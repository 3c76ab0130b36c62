import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readKubeconfig } from './kubeconfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'config')
const inBase64 = (text: string) => Buffer.from(text).toString('base64')

const aKubeconfig = ({
  cluster = {},
  user = {},
  ...more
}: {
  cluster?: object
  user?: object
  [field: string]: unknown
} = {}) => ({
  'current-context': 'here',
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443', ...cluster } }],
  users: [{ name: 'u', user }],
  ...more,
})

const read = (content: object | string) => {
  writeFileSync(path, typeof content === 'string' ? content : stringify(content))
  return readKubeconfig(path)
}

test('a certificate in the file is read', () => {
  const cluster = { 'certificate-authority-data': inBase64('CA') }
  const user = { 'client-certificate-data': inBase64('CERT'), 'client-key-data': inBase64('KEY') }
  expect(read(aKubeconfig({ cluster, user }))).toEqual({
    server: 'https://127.0.0.1:6443',
    ca: 'CA',
    cert: 'CERT',
    key: 'KEY',
    token: undefined,
  })
})

test('a certificate beside the file is read from there', () => {
  for (const name of ['ca.pem', 'cert.pem', 'key.pem']) writeFileSync(join(folder, name), name)
  const user = { 'client-certificate': 'cert.pem', 'client-key': join(folder, 'key.pem') }
  expect(read(aKubeconfig({ cluster: { 'certificate-authority': 'ca.pem' }, user }))).toMatchObject({
    ca: 'ca.pem',
    cert: 'cert.pem',
    key: 'key.pem',
  })
})

test('a token is read', () => {
  expect(read(aKubeconfig({ user: { token: 't' } }))).toMatchObject({ token: 't', cert: undefined, ca: undefined })
})

test.for([
  { name: 'a file that is not YAML', content: '{', message: 'missing, unreadable or not YAML' },
  {
    name: 'no current context',
    content: aKubeconfig({ 'current-context': undefined }),
    message: 'it has no context ""',
  },
  {
    name: 'an unknown context',
    content: aKubeconfig({ 'current-context': 'there' }),
    message: 'it has no context "there"',
  },
  { name: 'an unknown cluster', content: aKubeconfig({ clusters: [] }), message: 'it has no cluster "c"' },
  { name: 'an unknown user', content: aKubeconfig({ users: [] }), message: 'it has no user "u"' },
  { name: 'no users at all', content: aKubeconfig({ users: undefined }), message: 'wrong or missing users' },
  {
    name: 'a server that is no address',
    content: aKubeconfig({ cluster: { server: 'nowhere' } }),
    message: 'wrong or missing clusters.0.cluster.server',
  },
])('$name is said in a sentence', ({ content, message }) => {
  expect(() => read(content)).toThrow(message)
})

test('a missing file is said in a sentence', () => {
  expect(() => readKubeconfig(join(folder, 'nothing'))).toThrow('missing, unreadable or not YAML')
})

test('a wrong credential is named and not quoted', () => {
  const content = aKubeconfig({ user: { 'client-key-data': '-----hunter2-----' } })
  expect(() => read(content)).toThrow('wrong or missing users.0.user.client-key-data')
  expect(() => read(content)).not.toThrow('hunter2')
})
