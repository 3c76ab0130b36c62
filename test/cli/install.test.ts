import { randomBytes } from 'node:crypto'
import { parseAllDocuments } from 'yaml'
import { inject, expect, test } from 'vitest'
import { allControllers } from '../../src/controllers/all.ts'
import { grantedBy } from '../kit/act.ts'
import { dryRun, type Manifest } from '../kit/api-server.ts'
import { ownNamespaces, removeNamespace } from '../kit/namespaces.ts'
import { serviceAccountKubeconfig } from '../kit/service-account.ts'
import { runHoldfast } from './run.ts'

const print = ({ kind, metadata }: Manifest): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

const isCrd = ({ kind }: Manifest) => kind === 'CustomResourceDefinition'

const run = async (...args: readonly string[]) => {
  const { exit, stdout, stderr } = runHoldfast(['install', ...args])
  const [code] = await exit
  return { code, stdout: await stdout, stderr: await stderr }
}

const documentsOf = async (...args: readonly string[]): Promise<readonly Manifest[]> => {
  const { code, stdout } = await run(...args)
  expect(code).toBe(0)
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

/** What a test has really installed goes again, whatever comes of it. */
const installed = async (objects: readonly Manifest[]) => {
  const home = await ownNamespaces()
  await home.api.mustApply(objects)
  return {
    ...home,
    async [Symbol.asyncDispose]() {
      for (const object of objects.toReversed()) {
        if (object.kind === 'Namespace') await removeNamespace(object.metadata.name)
        else if (object.kind !== 'CustomResourceDefinition') await home.api.delete(await home.api.pathOf(object))
      }
    },
  }
}

const anOperatorNamespace = () => `operator-${randomBytes(4).toString('hex')}`

test.each<[mode: string, watched: readonly string[]]>([
  ['the whole cluster', []],
  ['some namespaces', ['tenant', 'other']],
])('the API server takes everything that is printed for an operator of %s', async (_, watched) => {
  await using home = await ownNamespaces('operator', ...watched)
  const flags = watched.flatMap((role) => ['--watch-namespace', home.named(role)])

  const documents = await documentsOf('--namespace', home.named('operator'), ...flags)
  const answers = await Promise.all(
    documents.map(async (document) => [print(document), (await home.api.apply(document, dryRun)).body.message]),
  )

  expect(answers.filter(([, message]) => message !== undefined)).toEqual([])
  expect(documents.filter(isCrd).map(({ metadata }) => metadata.name)).toEqual([
    'ledgerclusteragents.ledger.formance.com',
    'ledgerservices.ledger.formance.com',
  ])
  expect([...new Set(documents.map(({ kind }) => kind))]).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'Deployment',
    'PodDisruptionBudget',
  ])
})

test('for each kind that is left to somebody else, the operator is told so and gets fewer rights', async () => {
  const rightsIn = (documents: readonly object[]) => grantedBy(documents as Parameters<typeof grantedBy>[0])
  const all = rightsIn(await documentsOf())
  for (const { reconciles } of allControllers('')) {
    const documents = await documentsOf('--without', reconciles.plural)
    expect(rightsIn(documents).length).toBeLessThan(all.length)
    expect(JSON.stringify(documents.find(({ kind }) => kind === 'Deployment'))).toContain(
      `["operator","--without=${reconciles.plural}"]`,
    )
  }
})

test('the operator is told what ledgers run whose service names no image, and else decides itself', async () => {
  const variablesWith = async (...flags: readonly string[]) => {
    const documents = await documentsOf(...flags)
    const { spec } = documents.find(({ kind }) => kind === 'Deployment') as unknown as Deployment
    return (spec.template.spec.containers[0] as { readonly env: readonly { readonly name: string }[] }).env
  }
  const namespace = expect.objectContaining({ name: 'POD_NAMESPACE' }) as unknown

  expect(await variablesWith()).toEqual([namespace])
  expect(await variablesWith('--ledger-image', 'registry.example:5000/ledger:v2.1')).toEqual([
    namespace,
    { name: 'LEDGER_IMAGE_REPOSITORY', value: 'registry.example:5000/ledger' },
    { name: 'LEDGER_IMAGE_TAG', value: 'v2.1' },
  ])
})

test('the operator’s pod runs where only pods without any privilege may', async () => {
  const name = anOperatorNamespace()
  const documents = await documentsOf('--namespace', name, '--watch-namespace', 'team-a', '--watch-namespace', 'team-b')
  const { spec } = documents.find(({ kind }) => kind === 'Deployment') as unknown as Deployment
  await using home = await installed(documents.filter(({ kind }) => ['Namespace', 'ServiceAccount'].includes(kind)))
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: name, name: 'operator' },
    spec: spec.template.spec,
  }
  const pods = `/api/v1/namespaces/${name}/pods`

  const { status, body } = await home.api.post(pods, pod, dryRun)
  const asRoot = { ...pod, spec: { ...pod.spec, securityContext: { runAsUser: 0 } } }

  expect({ status, message: body.message }).toEqual({ status: 201, message: undefined })
  expect((await home.api.post(pods, asRoot, dryRun)).body.message).toContain('violates PodSecurity "restricted')
  expect(spec.replicas).toBe(2)
  expect(spec.template.spec.containers[0]).toMatchObject({
    args: ['operator', '--watch-namespace=team-a', '--watch-namespace=team-b'],
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    securityContext: { readOnlyRootFilesystem: true },
  })
})

interface Deployment {
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: { readonly containers: readonly object[]; readonly [field: string]: unknown } }
  }
}

test('--check says what installing would change, object by object, and exits 0 when there is nothing', async () => {
  const name = anOperatorNamespace()
  const check = () => run('--namespace', name, '--check', '--kubeconfig', inject('kubeconfig'))
  const documents = await documentsOf('--namespace', name)

  const before = await check()
  await using home = await installed(documents)
  const same = await check()
  await home.api.patch(`/apis/apps/v1/namespaces/${name}/deployments/holdfast`, { spec: { replicas: 1 } })
  await home.api.delete(`/apis/policy/v1/namespaces/${name}/poddisruptionbudgets/holdfast`)
  const after = await check()

  expect(before).toEqual({
    code: 1,
    stdout: documents
      .filter((document) => !isCrd(document))
      .map((document) => `${print(document)}: missing\n`)
      .join(''),
    stderr: '',
  })
  expect(same).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(after).toEqual({
    code: 1,
    stdout: `Deployment ${name}/holdfast: differs at spec.replicas\nPodDisruptionBudget ${name}/holdfast: missing\n`,
    stderr: '',
  })
})

test('--check writes nothing', async () => {
  const name = anOperatorNamespace()
  await using home = await installed(await documentsOf('--namespace', name))
  const roles = async () =>
    (await home.api.get(`/apis/rbac.authorization.k8s.io/v1/clusterroles/holdfast:${name}`)).body
  const before = await roles()

  const flags = ['--watch-namespace', 'default', '--check', '--kubeconfig', inject('kubeconfig')]
  const { code, stdout } = await run('--namespace', name, ...flags)

  expect(code).toBe(1)
  expect(stdout).toContain(`ClusterRole holdfast:${name}: differs at rules`)
  expect(await roles()).toEqual(before)
})

test('the output says how to apply it where another manager has made the CRDs', async () => {
  const { stdout } = await run()
  expect(stdout.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    '# holdfast install | kubectl apply --server-side -f -',
    '# Add --force-conflicts where Helm or another tool created these CustomResourceDefinitions: it owns their fields.',
  ])
})

test('--check by somebody who may not look exits 5 and names what was refused', async () => {
  await using home = await ownNamespaces('operator')
  const namespace = home.named('operator')
  await home.api.mustApply([{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'nobody' } }])
  using nobody = await serviceAccountKubeconfig(home.api, namespace, 'nobody')

  const { code, stderr } = await run('--namespace', namespace, '--check', '--kubeconfig', nobody.file)

  expect(code).toBe(5)
  expect(stderr).toMatch(/^holdfast: cannot get \w+ \S+: the API server answered 403 Forbidden\n$/)
})

test('--check that cannot compare exits neither 0 nor 1', async () => {
  const { code, stderr } = await run('--check', '--kubeconfig', '/there/is/no/such/file')

  expect(code).toBe(2)
  expect(stderr).toBe('holdfast: there is no kubeconfig: looked for /there/is/no/such/file\n')
})
