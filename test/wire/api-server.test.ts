import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { systemClock } from '../../src/kube/clock.ts'
import type { Credentials } from '../../src/kube/credentials.ts'
import { inClusterCredentials } from '../../src/kube/in-cluster.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import { connect } from '../../src/kube/wire.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { aScratch } from '../control-plane/scratch.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { aGet, aPost, ask } from './ask.ts'

const ServiceAccount: Kind = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
}

interface Review {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Who the API server takes us for, or its status when it lets nobody in. */
const whoami = async (credentials: Credentials): Promise<Review | number> => {
  const port = connect(credentials)
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const reply = await ask(port, { ...aPost, path, body })
  await port.close()
  if (reply.status !== 201) return reply.status
  return (JSON.parse(reply.body) as { status: { userInfo: Review } }).status.userInfo
}

const adminKubeconfig = () =>
  parse(readFileSync(inject('kubeconfig'), 'utf8')) as {
    readonly clusters: [{ cluster: Record<string, string> }]
    readonly users: [{ name: string; user: object }]
  }

/** The administrator's kubeconfig, with another user in it. */
const withUser = (change: (user: object) => object): string => {
  const config = adminKubeconfig()
  const [{ name, user }] = config.users
  return stringify({ ...config, users: [{ name, user: change(user) }] })
}

/** A new token of a new service account. */
const aToken = async (namespace: string, name: string): Promise<string> => {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })
  const reply = await ask(sharedConnection().port, { ...aPost, path, body })
  return (JSON.parse(reply.body) as { status: { token: string } }).status.token
}

test('whom we impersonate, with all groups and extras, is whom the API server takes us for', async () => {
  await using scratch = await aScratch()
  const impersonated = {
    as: 'jane',
    'as-uid': '42',
    'as-groups': ['dev', 'ops'],
    'as-user-extra': { 'example.com/scopes': ['read', 'write'], 'odd%key': ['yes'] },
  }
  const file = await scratch.write(
    'config',
    withUser((user) => ({ ...user, ...impersonated })),
  )

  expect(await whoami(readKubeconfig(file, systemClock))).toEqual({
    username: 'jane',
    uid: '42',
    groups: ['dev', 'ops', 'system:authenticated'],
    extra: { 'example.com/scopes': ['read', 'write'], 'odd%key': ['yes'] },
  })
})

test('a pod is let in as its service account, with that account’s rights, and with a new token as soon as there is one', async () => {
  await using suite = await aSuite([])
  await using mount = await aScratch()
  const namespace = suite.operatorNamespace
  await suite.user.create(ServiceAccount, { metadata: { namespace, name: 'robot' } })
  const { hostname, port } = new URL(readKubeconfig(inject('kubeconfig'), systemClock).server)
  const ca = adminKubeconfig().clusters[0].cluster['certificate-authority-data'] ?? ''
  await mount.write('ca.crt', Buffer.from(ca, 'base64').toString())
  await mount.write('token', 'expired')
  // A clock that stands still: only the refusal makes it read again.
  const credentials = inClusterCredentials({ host: hostname, port }, new TurnedClock(), mount.directory)
  expect(await whoami(credentials)).toBe(401)

  await mount.write('token', await aToken(namespace, 'robot'))
  expect(await whoami(credentials)).toMatchObject({ username: `system:serviceaccount:${namespace}:robot` })
  const robot = connect(credentials)
  expect(await ask(robot, { ...aGet, path: '/api/v1/namespaces' })).toMatchObject({ status: 403 })
  await robot.close()
})

test('a credential plugin’s certificate is let in', async () => {
  await using scratch = await aScratch()
  const { cert, key } = (await readKubeconfig(inject('kubeconfig'), systemClock).current()).tls
  const apiVersion = 'client.authentication.k8s.io/v1'
  const status = { clientCertificateData: cert, clientKeyData: key }
  await scratch.write('credential.json', JSON.stringify({ apiVersion, kind: 'ExecCredential', status }))
  await scratch.script('login', 'exec cat "$(dirname "$0")/credential.json"')
  const exec = { apiVersion, command: './login', interactiveMode: 'Never' }
  const file = await scratch.write(
    'config',
    withUser(() => ({ exec })),
  )

  expect(await whoami(readKubeconfig(file, systemClock))).toMatchObject({
    groups: expect.arrayContaining(['system:masters']) as string[],
  })
})

test('a server that the kubeconfig’s CA does not vouch for is not spoken to', async () => {
  await using scratch = await aScratch()
  const { cert = '' } = (await readKubeconfig(inject('kubeconfig'), systemClock).current()).tls
  const config = adminKubeconfig()
  config.clusters[0].cluster['certificate-authority-data'] = Buffer.from(cert).toString('base64')
  const file = await scratch.write('config', stringify(config))

  await expect(whoami(readKubeconfig(file, systemClock))).rejects.toMatchObject({
    name: 'ConnectionError',
    wasSent: false,
  })
})
