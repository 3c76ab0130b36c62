import { parseAllDocuments } from 'yaml'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { startKubelet } from '../../src/dev/kubelet.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { runHoldfast } from '../cli/run.ts'
import { ApiServer, dryRun, type Manifest } from '../kit/api-server.ts'
import { serviceAccountKubeconfig } from '../kit/service-account.ts'
import { type Connection, connectAsAdmin } from '../kit/shared-control-plane.ts'
import { Account } from './account.ts'
import { operatorNamespace, OperatorProcess } from './operator-process.ts'
import { agents, ledgerServices, namespaces, secrets } from './paths.ts'

/** The namespace of a tenant that is not attacking, and the attacker's. */
export const victim = 'team-a'
export const attacker = 'team-b'
/** Belongs to the attacker too, is no target unless an attack makes it one, and is the first of all in the order of names. */
export const elsewhere = 'aaa-team-b'

const tenantName = 'tenant'

/** A cluster with an installed operator, in which a tenant does everything that its namespaces let it do. */
export class AttackedCluster implements AsyncDisposable {
  readonly admin: Account
  /** Has every verb on every resource of the core and apps groups in its namespaces, and nothing elsewhere. */
  readonly tenant: Account
  readonly connection: Connection
  readonly #operatorKubeconfig: string
  readonly #started: AsyncDisposableStack
  #operator: OperatorProcess | undefined

  private constructor(started: AsyncDisposableStack, connections: Connections) {
    this.#started = started
    this.connection = connections.admin
    this.admin = new Account(connections.admin.port)
    this.tenant = new Account(connections.tenant.port)
    this.#operatorKubeconfig = connections.operatorKubeconfig
  }

  /** With the controllers of Kubernetes and pods that run, where they are asked for. */
  static async start({ controllerManager = false } = {}): Promise<AttackedCluster> {
    await using started = new AsyncDisposableStack()
    const controlPlane = await startControlPlane({ controllerManager })
    started.defer(() => controlPlane.stop())
    const admin = connectAsAdmin(controlPlane.kubeconfig)
    started.defer(() => admin.port.close())
    if (controllerManager) started.use(await startKubelet({ port: admin.port, clock: systemClock }))
    const api = new ApiServer(admin.port)
    await install(api)
    await createTenants(api)
    const kubeconfigOf = async (namespace: string, name: string) =>
      started.use(await serviceAccountKubeconfig(api, namespace, name, controlPlane.kubeconfig)).file
    const tenant = connectAsAdmin(await kubeconfigOf(attacker, tenantName))
    started.defer(() => tenant.port.close())
    const operatorKubeconfig = await kubeconfigOf(operatorNamespace, 'holdfast')
    const cluster = new AttackedCluster(started.move(), { admin, tenant, operatorKubeconfig })
    await cluster.#rolesInForce()
    return cluster
  }

  /** The operator that leads; started when there is none, or when it has ended. */
  async operator(): Promise<OperatorProcess> {
    if (this.#operator?.isAlive === true) return this.#operator
    this.#operator = await this.startOperator()
    await this.#operator.ready()
    await this.#operator.leads()
    return this.#operator
  }

  /** Another process of the same installation. */
  async startOperator(): Promise<OperatorProcess> {
    const operator = await OperatorProcess.start(this.#operatorKubeconfig)
    this.#started.defer(() => operator.stop())
    return operator
  }

  async stopOperator(): Promise<void> {
    await this.#operator?.stop()
    this.#operator = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync()
  }

  async #rolesInForce(): Promise<void> {
    const isIn = async (account: Account, path: string) => (await account.send('GET', path)).status === 200
    for (const namespace of [attacker, elsewhere])
      await eventually('the tenant has its role', () => isIn(this.tenant, secrets(namespace)))
    const port = connectAsAdmin(this.#operatorKubeconfig).port
    await eventually('the operator has its role', () => isIn(new Account(port), secrets(victim)))
    await port.close()
    for (const path of [secrets(victim), secrets(operatorNamespace), ledgerServices(attacker), agents()])
      if (await isIn(this.tenant, path)) throw new Error(`the tenant may list ${path}`)
  }
}

interface Connections {
  readonly admin: Connection
  readonly tenant: Connection
  readonly operatorKubeconfig: string
}

/** Applies what `holdfast install` prints, but for the pods: the operator runs beside the cluster. */
const install = async (api: ApiServer): Promise<void> => {
  const printed = await runHoldfast(['install', '--namespace', operatorNamespace]).stdout
  const objects = parseAllDocuments(printed).map((document) => document.toJS() as Manifest)
  await api.mustApply(objects.filter(({ kind }) => kind !== 'Deployment'))
  for (const path of [agents(), '/apis/ledger.formance.com/v1alpha1/ledgerservices'])
    await eventually(`${path} is served`, async () => (await api.get(path)).status === 200)
  await keyPolicyInForce(api)
}

const keyPolicyInForce = async (api: ApiServer): Promise<void> => {
  const labels = { 'ledger.formance.com/agent-name': 'probe' }
  const annotations = { 'holdfast.dev/key-id': '0123456789abcdef' }
  const probe = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'probe', labels, annotations } }
  await api.post(secrets(operatorNamespace), probe)
  const path = secrets(operatorNamespace, 'probe')
  await eventually('the policy is in force', async () => (await api.delete(path, dryRun)).status === 403)
  await api.patch(path, { metadata: { annotations: { 'holdfast.dev/delete': '0123456789abcdef' } } })
  await api.delete(path)
}

const createTenants = async (api: ApiServer): Promise<void> => {
  const rbac = { apiGroup: 'rbac.authorization.k8s.io', apiVersion: 'rbac.authorization.k8s.io/v1' }
  const { apiVersion } = rbac
  for (const name of [victim, attacker, elsewhere])
    await api.post(namespaces(), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await api.mustApply([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: attacker, name: tenantName } },
    ...[attacker, elsewhere].flatMap((namespace) => {
      const metadata = { namespace, name: tenantName }
      const rules = [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['*'] }]
      const subjects = [{ kind: 'ServiceAccount', namespace: attacker, name: tenantName }]
      const roleRef = { apiGroup: rbac.apiGroup, kind: 'Role', name: tenantName }
      return [
        { apiVersion, kind: 'Role', metadata, rules },
        { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects },
      ]
    }),
  ])
}
