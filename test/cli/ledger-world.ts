import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { Secret } from '../../src/pure/kind.ts'
import {
  agentNames,
  claimAnnotation,
  generationAnnotation,
  keyIdAnnotation,
  lineageAnnotation,
} from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { isAllowed } from '../kit/declared-account.ts'
import { suiteLabel } from '../kit/idle.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { serviceAccountKubeconfig } from '../kit/service-account.ts'
import { connectAsAdmin, sharedConnection } from '../kit/shared-control-plane.ts'

export interface Grant {
  readonly role: string
  readonly verbs: readonly ('get' | 'list')[]
  readonly names?: readonly string[]
}

export type Status = NonNullable<LedgerClusterAgent['status']>

/** One agent of a test's own, claimed by an operator that does not run: everything about it is the test's to say. */
export const ledgerWorld = async () => {
  const made = new AsyncDisposableStack()
  const home = made.use(await ownNamespaces('operator', 'first', 'second'))
  const { client } = sharedConnection()
  const agent = `agent-${home.id}`
  const refTo = (role: string) => ({ namespace: home.named(role), name: agentNames.replica(agent) })

  /** What the agent's operator would say. */
  const report = (status: Status, name = agent): Promise<void> =>
    home.user.patchStatus(LedgerClusterAgent, { name }, { status })

  const annotation = async (name: string): Promise<string | undefined> =>
    (await client.get(LedgerClusterAgent, { name: agent }))?.metadata.annotations?.[name]

  const createAgent = async (spec: object = {}, status?: Status, name = agent): Promise<void> => {
    const annotations = { [claimAnnotation]: home.named('operator') }
    const selector = { matchLabels: { [suiteLabel]: home.id } }
    await home.user.create(LedgerClusterAgent, { metadata: { name, annotations }, spec: { selector, ...spec } })
    made.defer(async () => {
      if ((await client.get(LedgerClusterAgent, { name })) !== undefined)
        await home.user.delete(LedgerClusterAgent, { name })
    })
    if (status !== undefined) await report(status, name)
  }

  const createSecret = async (role: string, name: string, more: { data?: object; annotations?: object } = {}) => {
    const { data = aKey(), annotations = {} } = more
    const metadata = { namespace: home.named(role), name, labels: { [agentNames.label]: agent }, annotations }
    await home.user.create(Secret, { metadata, data })
  }

  /** A key generation in the operator's namespace, marked as the operator marks it. */
  const createGeneration = (generation: number, key = aKey(generation), marks: object = {}) =>
    createSecret('operator', `${agentNames.canonical(agent)}${generation === 1 ? '' : `-${generation}`}`, {
      data: key,
      annotations: {
        [generationAnnotation]: String(generation),
        [keyIdAnnotation]: keyIdOf(key),
        ...(generation > 1 && { [lineageAnnotation]: JSON.stringify([{ keyId: keyIdOf(aKey(generation - 1)) }]) }),
        ...marks,
      },
    })

  /** Somebody who may get this agent, read the Secrets that they were granted, and do nothing else. */
  const somebody = async (...grants: readonly Grant[]): Promise<string> => {
    const own = home.named('operator')
    const rbac = (kind: string, metadata: object, more: object) =>
      ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...more }) as never
    const subjects = [{ kind: 'ServiceAccount', name: 'somebody', namespace: own }]
    const bound = (kind: 'Role' | 'ClusterRole', metadata: { name: string; namespace?: string }, rules: object[]) => [
      rbac(kind, metadata, { rules }),
      rbac(`${kind}Binding`, metadata, {
        subjects,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
      }),
    ]
    const { group, plural } = LedgerClusterAgent
    const mayGetAgent = { apiGroups: [group], resources: [plural], resourceNames: [agent], verbs: ['get'] }
    const clusterWide = bound('ClusterRole', { name: `somebody-${home.id}` }, [mayGetAgent])
    await home.api.mustApply([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: own, name: 'somebody' } },
      ...clusterWide,
      ...grants.flatMap(({ role, verbs, names }, index) =>
        bound('Role', { namespace: home.named(role), name: `somebody-${index}` }, [
          { apiGroups: [''], resources: ['secrets'], verbs, ...(names === undefined ? {} : { resourceNames: names }) },
        ]),
      ),
    ])
    made.defer(async () => {
      for (const object of clusterWide) await home.api.delete(await home.api.pathOf(object))
    })
    const kubeconfig = made.use(await serviceAccountKubeconfig(home.api, own, 'somebody'))
    const { port } = connectAsAdmin(kubeconfig.file)
    const anywhere = { namespace: undefined, subresource: undefined }
    const acts = [
      { ...anywhere, verb: 'get', group, resource: plural, name: agent },
      ...grants.flatMap(({ role, verbs, names = [''] }) =>
        verbs.flatMap((verb) =>
          names.map((name) => ({
            ...anywhere,
            verb,
            group: '',
            resource: 'secrets',
            name,
            namespace: home.named(role),
          })),
        ),
      ),
    ]
    for (const act of acts) await eventually('the right', () => isAllowed(port, act))
    await port.close()
    return kubeconfig.file
  }

  return {
    home,
    client,
    agent,
    refTo,
    report,
    annotation,
    createAgent,
    createSecret,
    createGeneration,
    somebody,
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  }
}
