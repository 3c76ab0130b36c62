import { describe, expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { CustomResourceDefinition, type Kind, Lease, Namespace, Secret } from '../pure/kind.ts'
import type { Right } from '../pure/rights.ts'
import type { Scope } from '../pure/scope.ts'
import { type Client, createClient } from './client.ts'
import { declaredClient } from './declared-client.ts'
import type { WireRequest } from './port.ts'

const Thing: Kind = { group: 'example.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: false }
const crd = 'things.example.dev'

const rights: readonly Right[] = [
  { kind: Thing, verbs: ['get', 'list', 'watch', 'patch'], where: 'cluster' },
  { kind: Secret, verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'], where: 'watched' },
  { kind: Secret, verbs: ['get'], where: 'own' },
  { kind: Namespace, verbs: ['list', 'watch'], where: 'cluster' },
  { kind: Lease, verbs: ['create'], where: 'own' },
  { kind: CustomResourceDefinition, verbs: ['get', 'list', 'watch'], where: 'cluster', names: [crd] },
]
const inCluster: Scope = { own: 'ops', watched: 'all' }
const inNamespaces: Scope = { own: 'ops', watched: ['team-a'] }

const on = { uid: 'u', resourceVersion: '1' }
const at = (namespace: string, name = 'x') => ({ namespace, name })
const sent = (namespace: string) => ({ metadata: at(namespace) })
const never = new AbortController().signal
const watching = { extent: 'metadata', query: {} } as const

/** What reached the API server, and how the call ended. */
const attempt = async (scope: Scope, call: (client: Client) => Promise<unknown>) => {
  const requests: WireRequest[] = []
  const port = scriptedPort((request) => {
    requests.push(request)
    return replyWith(200, { metadata: { resourceVersion: '1' } })
  })
  const client = declaredClient(
    createClient(
      {
        ...port,
        open: (request) => {
          requests.push(request)
          return port.open(request, never)
        },
      },
      never,
    ),
    rights,
    scope,
  )
  const error = await call(client).then(
    () => undefined,
    (thrown: unknown) => String(thrown),
  )
  return { requests: requests.map(({ method, path }) => `${method} ${path}`), error }
}

describe('what was declared is sent', () => {
  test.each<[name: string, scope: Scope, request: string, call: (client: Client) => Promise<unknown>]>([
    ['get', inNamespaces, 'GET /api/v1/namespaces/team-a/secrets/x', (c) => c.get(Secret, at('team-a'))],
    ['get in its own namespace', inNamespaces, 'GET /api/v1/namespaces/ops/secrets/x', (c) => c.get(Secret, at('ops'))],
    [
      'list in a namespace',
      inNamespaces,
      'GET /api/v1/namespaces/team-a/secrets',
      (c) => c.list(Secret, { namespace: 'team-a' }),
    ],
    ['list everywhere', inCluster, 'GET /api/v1/secrets', (c) => c.list(Secret, {})],
    ['watch everywhere', inCluster, 'GET /api/v1/secrets', (c) => c.openWatch(Secret, {}, watching, never)],
    [
      'watch in a namespace',
      inNamespaces,
      'GET /api/v1/namespaces/team-a/secrets',
      (c) => c.openWatch(Secret, { namespace: 'team-a' }, watching, never),
    ],
    [
      'create',
      inNamespaces,
      'POST /apis/coordination.k8s.io/v1/namespaces/ops/leases',
      (c) => c.create(Lease, sent('ops'), 'm'),
    ],
    [
      'apply',
      inNamespaces,
      'PATCH /api/v1/namespaces/team-a/secrets/x',
      (c) => c.apply(Secret, sent('team-a'), on, 'm'),
    ],
    [
      'mark',
      inNamespaces,
      'PATCH /apis/example.dev/v1/things/x',
      (c) => c.mark(Thing, { name: 'x' }, { on, set: {} }, 'm'),
    ],
    ['delete', inNamespaces, 'DELETE /api/v1/namespaces/team-a/secrets/x', (c) => c.delete(Secret, at('team-a'), 'u')],
    [
      'get by a declared name',
      inCluster,
      `GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`,
      (c) => c.get(CustomResourceDefinition, { name: crd }),
    ],
    [
      'list one declared name',
      inCluster,
      'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      (c) => c.list(CustomResourceDefinition, { fieldSelector: `metadata.name=${crd}` }),
    ],
    [
      'watch a watched namespace',
      inNamespaces,
      'GET /api/v1/namespaces',
      (c) => c.openWatch(Namespace, { fieldSelector: 'metadata.name=team-a' }, watching, never),
    ],
  ])('%s', async (_, scope, request, call) => {
    expect(await attempt(scope, call)).toEqual({ requests: [request], error: undefined })
  })
})

describe('what was not declared is refused before anything is sent', () => {
  test.each<[what: string, scope: Scope, call: (client: Client) => Promise<unknown>]>([
    ['get Lease ops/x', inCluster, (c) => c.get(Lease, at('ops'))],
    ['get Secret team-b/x', inNamespaces, (c) => c.get(Secret, at('team-b'))],
    ['list Secrets in namespace team-b', inNamespaces, (c) => c.list(Secret, { namespace: 'team-b' })],
    ['list Secrets in all namespaces', inNamespaces, (c) => c.list(Secret, {})],
    ['list Secret x', inNamespaces, (c) => c.list(Secret, { fieldSelector: 'metadata.name=x' })],
    ['watch Secrets in all namespaces', inNamespaces, (c) => c.openWatch(Secret, {}, watching, never)],
    ['watch Namespaces', inNamespaces, (c) => c.openWatch(Namespace, {}, watching, never)],
    [
      'watch Namespace team-b',
      inNamespaces,
      (c) => c.openWatch(Namespace, { fieldSelector: 'metadata.name=team-b' }, watching, never),
    ],
    ['create Secret ops/x', inNamespaces, (c) => c.create(Secret, sent('ops'), 'm')],
    ['patch Secret ops/x', inNamespaces, (c) => c.apply(Secret, sent('ops'), on, 'm')],
    ['patch Secret ops/x', inNamespaces, (c) => c.mark(Secret, at('ops'), { on, set: {} }, 'm')],
    ['patch the status of Thing x', inCluster, (c) => c.applyStatus(Thing, { metadata: { name: 'x' } }, on, 'm')],
    ['delete Thing x', inCluster, (c) => c.delete(Thing, { name: 'x' }, 'u')],
    ['list CustomResourceDefinitions', inCluster, (c) => c.list(CustomResourceDefinition, {})],
    [
      'list CustomResourceDefinitions',
      inCluster,
      (c) => c.list(CustomResourceDefinition, { fieldSelector: `metadata.name!=${crd}` }),
    ],
    [
      'get CustomResourceDefinition others.example.dev',
      inCluster,
      (c) => c.get(CustomResourceDefinition, { name: 'others.example.dev' }),
    ],
  ])('cannot %s', async (what, scope, call) => {
    const { requests, error } = await attempt(scope, call)

    expect(error).toBe(
      `UndeclaredError: cannot ${what}: the right to do so was not declared; declare it in the controller's rights.ts`,
    )
    expect(requests).toEqual([])
  })
})

test('a declared status can be written, and only the status', async () => {
  const statusOnly: readonly Right[] = [{ kind: Thing, subresource: 'status', verbs: ['patch'], where: 'cluster' }]
  const client = declaredClient(
    createClient(
      scriptedPort(() => replyWith(200, { metadata: { resourceVersion: '1' } })),
      never,
    ),
    statusOnly,
    inCluster,
  )
  const object = { metadata: { name: 'x' } }

  await client.applyStatus(Thing, object, on, 'm')
  await expect(client.apply(Thing, object, on, 'm')).rejects.toThrow('cannot patch Thing x')
})
