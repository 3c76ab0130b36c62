import { expect, test } from 'vitest'
import { allControllers } from '../../src/controllers/all.ts'
import { rightsOf } from '../../src/runtime/rights.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { rbacOf, serviceAccountName } from '../../src/pure/rbac.ts'
import type { Scope } from '../../src/pure/scope.ts'
import { ApiServer } from '../kit/api-server.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { serviceAccountKubeconfig } from '../kit/service-account.ts'
import { connectAsAdmin as connectWith } from '../kit/shared-control-plane.ts'

const reviews = '/apis/authorization.k8s.io/v1'

interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
}

const printRule = ({ verbs, apiGroups, resources, resourceNames = [] }: ResourceRule): string =>
  `${verbs.join()} ${resources.join()}.${apiGroups.join()} ${resourceNames.join()}`.trim()

/** The operator's service account with the rights of a scope, as the API server's own authorizer sees it. */
const anOperator = async (watched: 'all' | readonly string[]) => {
  const home = await ownNamespaces('operator', 'tenant', 'other')
  const namespace = home.named('operator')
  await home.api.mustApply([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: serviceAccountName } },
  ])
  const kubeconfig = await serviceAccountKubeconfig(home.api, namespace, serviceAccountName)
  const { port } = connectWith(kubeconfig.file)
  const operator = new ApiServer(port)
  const rulesIn = async (place: string): Promise<readonly string[]> => {
    const { body } = await operator.post(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: place } })
    return (body['status'] as { resourceRules: readonly ResourceRule[] }).resourceRules.map(printRule)
  }
  const everybodys = new Set(await rulesIn(namespace))

  const scope: Scope = { own: namespace, watched: watched === 'all' ? watched : watched.map(home.named) }
  const objects = rbacOf(rightsOf(allControllers(namespace)), scope)
  await home.api.mustApply(objects)
  return {
    ...home,
    namespace,
    /** What it may there, beyond what every service account may. */
    mayIn: async (place: string) => (await rulesIn(place)).filter((rule) => !everybodys.has(rule)).sort(),
    may: async (attributes: object): Promise<boolean> => {
      const spec = { resourceAttributes: attributes }
      const { body } = await operator.post(`${reviews}/selfsubjectaccessreviews`, { spec })
      return (body['status'] as { allowed: boolean }).allowed
    },
    async [Symbol.asyncDispose]() {
      for (const object of objects.toReversed()) await home.api.delete(await home.api.pathOf(object))
      await port.close()
      kubeconfig[Symbol.dispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}

const onEvents = 'create,patch events.events.k8s.io'
const onSecrets = 'create,delete,get,list,patch,watch secrets.'
const onLeases = ['create leases.coordination.k8s.io', 'get,patch leases.coordination.k8s.io holdfast']
const onWorkloads = ['create,get,list,patch,watch statefulsets.apps', 'list,watch pods.', onEvents]
const onDefinitions =
  'list,watch customresourcedefinitions.apiextensions.k8s.io ledgerclusteragents.ledger.formance.com,ledgerservices.ledger.formance.com'
const onAgents = [
  'get,list,patch,watch ledgerclusteragents.ledger.formance.com',
  'patch ledgerclusteragents/status.ledger.formance.com',
]
const onServices = [
  'create,delete,get,list,patch,watch configmaps,secrets,serviceaccounts,services.',
  'get,list,patch,watch ledgerservices.ledger.formance.com',
  'patch ledgerservices/status.ledger.formance.com',
  ...onWorkloads,
]
const secrets = (namespace: string | undefined, verb = 'get') => ({ resource: 'secrets', verb, namespace })

test('an operator of the whole cluster may do what was declared, and nothing else', async () => {
  await using operator = await anOperator('all')
  const { namespace, named, mayIn, may } = operator
  const everywhere = [
    'create,delete,get,list,patch,watch configmaps,secrets,serviceaccounts,services.',
    'get,list,patch,watch ledgerclusteragents,ledgerservices.ledger.formance.com',
    'patch ledgerclusteragents/status,ledgerservices/status.ledger.formance.com',
    ...onWorkloads,
    onDefinitions,
    'get,list,watch namespaces.',
  ]
  await eventually('the rights are in force', () => may({ ...secrets(undefined), namespace: '' }))
  await eventually('its own are, too', async () => {
    const own = await mayIn(namespace)
    return onLeases.every((right) => own.includes(right))
  })
  await eventually('those for events are, too', async () => (await mayIn('default')).includes(onEvents))

  expect(await mayIn(namespace)).toEqual([...everywhere, ...onLeases].sort())
  expect(await mayIn(named('tenant'))).toEqual(everywhere.toSorted())
  expect(await mayIn('default')).toEqual(everywhere.toSorted())
  for (const attributes of [
    { resource: 'pods', verb: 'get', namespace },
    { resource: 'customresourcedefinitions', group: 'apiextensions.k8s.io', verb: 'list' },
    { resource: 'leases', group: 'coordination.k8s.io', verb: 'get', namespace: named('tenant') },
    { resource: 'clusterroles', group: 'rbac.authorization.k8s.io', verb: 'escalate' },
    { resource: 'clusterroles', group: 'rbac.authorization.k8s.io', verb: 'bind' },
    { resource: '*', group: '*', verb: '*' },
  ])
    expect(await may(attributes), JSON.stringify(attributes)).toBe(false)
})

test('an operator of some namespaces may do what was declared there, and nothing elsewhere', async () => {
  await using operator = await anOperator(['tenant'])
  const { namespace, named, mayIn, may } = operator
  const [tenant, other] = [named('tenant'), named('other')]
  const inCluster = [...onAgents, onDefinitions, `get,list,watch namespaces. ${tenant}`]
  await eventually('the rights are in force', () => may(secrets(tenant)))
  await eventually('its own are, too', async () => {
    const own = await mayIn(namespace)
    return onLeases.every((right) => own.includes(right))
  })
  await eventually('those for events are, too', async () => (await mayIn('default')).includes(onEvents))

  expect(await mayIn(namespace)).toEqual([...inCluster, onSecrets, ...onLeases].sort())
  expect(await mayIn(tenant)).toEqual([...inCluster, ...onServices].sort())
  expect(await mayIn(other)).toEqual(inCluster.toSorted())
  expect(await mayIn('default')).toEqual([...inCluster, onEvents].sort())
  for (const attributes of [
    secrets(other),
    secrets('', 'list'),
    { resource: 'namespaces', verb: 'list' },
    { resource: 'namespaces', verb: 'watch', name: other },
    { resource: 'pods', verb: 'get', namespace: tenant },
    { resource: 'pods', verb: 'list', namespace: other },
    { resource: 'roles', group: 'rbac.authorization.k8s.io', verb: 'escalate', namespace: tenant },
  ])
    expect(await may(attributes), JSON.stringify(attributes)).toBe(false)
  expect(await may({ resource: 'namespaces', verb: 'watch', name: tenant })).toBe(true)
})
