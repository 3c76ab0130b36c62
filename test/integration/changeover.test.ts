import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { ConfigMap, Secret, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { claimAnnotation, serviceNames } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { PlanDocument } from '../../src/cli/plan/document.ts'
import { runHoldfast } from '../cli/run.ts'
import { FormerCluster } from '../kit/former-cluster.ts'
import {
  type FormerService,
  formerImage,
  formerServiceNamespaces,
  formerServices,
  formerWorkloadOf,
  loadFormerServices,
} from '../kit/former-services.ts'

let cluster: FormerCluster

beforeAll(async () => {
  cluster = await FormerCluster.start(formerServiceNamespaces)
})

afterEach(() => cluster.clear())

afterAll(() => cluster[Symbol.asyncDispose]())

interface Variable {
  readonly name: string
  readonly value?: string
}

interface Container {
  readonly command: readonly string[]
  readonly env: readonly Variable[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts: readonly { readonly name: string }[]
}

interface Template {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>>; readonly labels: object }
  readonly spec: {
    readonly containers: readonly [Container]
    readonly volumes?: readonly { readonly name: string }[]
  }
}

interface StatefulSetObject extends KubeObject {
  readonly spec: { readonly template: Template }
}

const isTakenOver = ({ metadata, status }: LedgerService): boolean =>
  metadata.annotations?.[claimAnnotation] !== undefined &&
  status?.observedGeneration === metadata.generation &&
  status?.conditions?.some(({ type }) => type === 'AuthKeysPublished') === true

const run = () => cluster.runServicesUntil('ledger-system', isTakenOver, { image: formerImage })

const workloads = async (): Promise<ReadonlyMap<string, StatefulSetObject>> => {
  const all = await cluster.all<StatefulSetObject>(StatefulSet)
  return new Map(all.map((workload) => [workload.metadata.name.replace(/^ledger-/, ''), workload]))
}

const templates = async () => new Map([...(await workloads())].map(([name, { spec }]) => [name, spec.template]))

/** All that says how pods are made. */
const rolloutsOf = (all: ReadonlyMap<string, StatefulSetObject>) =>
  [...all].map(([name, { metadata, spec }]) => ({ name, generation: metadata.generation, spec: JSON.stringify(spec) }))

/** Wired with keys while no tokens are asked for: as such a ledger refuses to start. */
const brokenServices = ['plain', 'authnil']

/** What `holdfast plan` notes of services, by their names. */
const plannedNotes = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const args = ['plan', 'ledgerservices', '--kubeconfig', cluster.kubeconfig, '--operator-namespace', 'ledger-system']
  const image = { LEDGER_IMAGE_REPOSITORY: formerImage.repository, LEDGER_IMAGE_TAG: formerImage.tag }
  const { stdout } = runHoldfast([...args, '-o', 'json'], image)
  const { objects } = JSON.parse(await stdout) as PlanDocument
  expect(objects).toHaveLength(29)
  return Object.fromEntries(objects.flatMap(({ name, notices }) => (notices === undefined ? [] : [[name, notices]])))
}

/** A template as the former operator would have written it: which script and hash a change brings is another matter. */
const comparable = ({ metadata, spec }: Template) => {
  const { [serviceNames.specHash]: _, ...annotations } = metadata.annotations
  const [{ command, ...container }] = spec.containers
  return { metadata: { ...metadata, annotations }, spec: { ...spec, containers: [container] } }
}

const withoutKeys = ({ metadata, spec }: Template): Template => {
  const { [serviceNames.keysHash]: _, ...annotations } = metadata.annotations
  const [container] = spec.containers
  const { volumes = [], ...rest } = spec
  const others = volumes.filter(({ name }) => name !== 'auth-keys')
  const env = container.env.filter(({ name }) => name !== 'AUTH_ED25519_KEYS')
  const volumeMounts = container.volumeMounts.filter(({ name }) => name !== 'auth-keys')
  return {
    metadata: { ...metadata, annotations },
    spec: { ...rest, ...(others.length > 0 && { volumes: others }), containers: [{ ...container, env, volumeMounts }] },
  }
}

const withVariables = (template: Template, change: (env: readonly Variable[]) => readonly Variable[]): Template => {
  const [container] = template.spec.containers
  return { ...template, spec: { ...template.spec, containers: [{ ...container, env: change(container.env) }] } }
}

const without = (variable: string) => (env: readonly Variable[]) => env.filter(({ name }) => name !== variable)

const former = (name: string): FormerService => {
  const found = formerServices.find((service) => service.name === name)
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

const templateOf = (service: FormerService) => (formerWorkloadOf(service) as StatefulSetObject['spec']).template

interface Removal {
  /** A JSON merge patch to the spec; where nothing is said, all settings but the usual are removed. */
  readonly patch?: object
  readonly expected: (service: FormerService) => Template
}

/** What every service would be with `auth.enabled` and nothing else. */
const asBase = ({ name, namespace, labels }: FormerService): Template =>
  templateOf({ ...former('base'), name, namespace, labels })

const removals: Readonly<Record<string, Removal>> = {
  base: {
    patch: { auth: { enabled: false } },
    expected: (service) =>
      withVariables(withoutKeys(asBase(service)), (env) =>
        env.map((variable) => (variable.name === 'AUTH_ENABLED' ? { ...variable, value: 'false' } : variable)),
      ),
  },
  books: {
    patch: { auth: null },
    expected: (service) => withVariables(withoutKeys(templateOf(service)), without('AUTH_ENABLED')),
  },
  authoff: {
    patch: { auth: null },
    expected: (service) => withVariables(templateOf(service), without('AUTH_ENABLED')),
  },
  authnil: { patch: {}, expected: (service) => withoutKeys(templateOf(service)) },
  plain: { patch: { service: null }, expected: (service) => withoutKeys(templateOf(service)) },
  authmore: {
    patch: { auth: { issuer: null, issuers: null, service: null, checkScopes: null } },
    expected: asBase,
  },
  // Labels by which pods are found cannot change.
  podann: {
    patch: { podAnnotations: null },
    expected: ({ workload, ...service }) => {
      const { metadata, spec } = asBase(service)
      return { metadata: { ...metadata, labels: { ...metadata.labels, l: 'm' } }, spec }
    },
  },
  // Nor can the address.
  ports: {
    patch: { grpcPort: null, httpPort: null },
    expected: (service) => {
      const base = asBase(service)
      const [container] = base.spec.containers
      const at = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('7777', '7700')) as T
      const changed = { ...container, env: at(container.env), ports: at(container.ports) }
      return { ...base, spec: { ...base.spec, containers: [changed] } }
    },
  },
}

const removalOf = ({ name, spec }: FormerService): Required<Removal> => {
  const settings = Object.keys(spec).filter((field) => field !== 'auth' && field !== 'replicas')
  return { patch: Object.fromEntries(settings.map((field) => [field, null])), expected: asBase, ...removals[name] }
}

/** The objects that still have something of this manager's, but for agents' finalizers and first keys. */
const leftBy = async (manager: string): Promise<readonly string[]> => {
  const kinds = [LedgerService, StatefulSet, Service, ServiceAccount, ConfigMap, Secret, LedgerClusterAgent]
  const objects = (await Promise.all(kinds.map((kind) => cluster.all(kind)))).flat()
  return objects
    .filter(({ kind, metadata }) => {
      const entries = (metadata.managedFields ?? []).filter((entry) => entry.manager === manager)
      const isKept = kind === 'LedgerClusterAgent' || metadata.namespace === 'ledger-system'
      return entries.some(({ subresource }) => !isKept || subresource === 'status')
    })
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
}

test.for(['operator', 'ledger-operator'])(
  'LSV-28 PLAN-15 what the former operator wrote as %s is taken over: no pod restarts, and what is removed later goes',
  { timeout: 120_000 },
  async (manager) => {
    await loadFormerServices(cluster, manager)
    const before = await workloads()
    expect(before.size).toBe(29)
    const note = expect.stringMatching(/^pods restart, .* variable AUTH_ED25519_KEYS; .* refuses to start/) as string
    expect(await plannedNotes()).toEqual(Object.fromEntries(brokenServices.map((name) => [name, [note]])))

    await run()
    expect(await plannedNotes()).toEqual({})
    const taken = await workloads()
    const isSound = ({ name }: { readonly name: string }) => !brokenServices.includes(name)
    expect(rolloutsOf(taken).filter(isSound)).toEqual(rolloutsOf(before).filter(isSound))
    for (const name of brokenServices) {
      const { spec } = taken.get(name) ?? {}
      expect(spec && comparable(spec.template)).toEqual(comparable(withoutKeys(templateOf(former(name)))))
    }

    for (const service of formerServices)
      await cluster.user.patch(LedgerService, service, { spec: removalOf(service).patch })
    await run()
    const after = await templates()
    for (const service of formerServices) {
      const template = after.get(service.name)
      expect(template && { of: service.name, ...comparable(template) }).toEqual({
        of: service.name,
        ...comparable(removalOf(service).expected(service)),
      })
    }
    const service = (await cluster.all<KubeObject & { readonly spec: object }>(Service)).find(
      ({ metadata }) => metadata.name === 'ledger-plain',
    )
    expect(service?.metadata.annotations).not.toHaveProperty('a')
    expect(service?.spec).toMatchObject({ type: 'ClusterIP' })
    expect(await leftBy(manager)).toEqual([])
  },
)
