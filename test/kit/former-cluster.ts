import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { renderKeyPolicy } from '../../src/cli/install/key-policy.ts'
import { allControllers, type Settings } from '../../src/controllers/all.ts'
import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { installCrds } from '../../src/dev/install-crds.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { type Kind, Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames, keyIdAnnotation } from '../../src/pure/names.ts'
import { type KubeObject, type ObjectKey, printKey } from '../../src/pure/object.ts'
import { alone } from '../../src/runtime/alone.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import { noMeter } from '../../src/runtime/meter.ts'
import { type Operator, startOperator } from '../../src/runtime/operator.ts'
import { ApiServer, dryRun } from './api-server.ts'
import { Gate } from './gate.ts'
import { goldenNamespaces, type GoldenObject, loadGolden, removeGolden } from './golden-objects.ts'
import { isWrite } from './request.ts'
import { connectAsAdmin } from './shared-control-plane.ts'
import { User } from './user.ts'

type Connection = ReturnType<typeof connectAsAdmin>
type ControlPlane = Awaited<ReturnType<typeof startControlPlane>>

/** The namespace that the former operator ran in, and another. */
export const homes = ['ledger-system', 'holdfast-system']

/** What was written: verb, plural and object, and what was sent. */
interface Write {
  readonly what: string
  readonly body: string
}

/** A cluster of its own that the former operator has left. On the shared one, every operator would claim its agents. */
export class FormerCluster implements AsyncDisposable {
  readonly client: Connection['client']
  readonly user: User
  /** Path of an administrator's kubeconfig. */
  readonly kubeconfig: string
  readonly #connection: Connection
  readonly #stop: () => Promise<void>
  readonly #namespaces: readonly string[]
  #operator: Operator | undefined
  #writes: Write[] = []

  private constructor(controlPlane: ControlPlane, namespaces: readonly string[]) {
    const connection = connectAsAdmin(controlPlane.kubeconfig)
    this.#connection = connection
    this.#stop = () => controlPlane.stop()
    this.kubeconfig = controlPlane.kubeconfig
    this.#namespaces = namespaces
    this.client = connection.client
    this.user = new User(connection.port)
  }

  /** With our kinds, and the admission policy wherever our operator may be. */
  static async start(more: readonly string[] = []): Promise<FormerCluster> {
    const controlPlane = await startControlPlane({ controllerManager: false })
    const namespaces = [...new Set([...goldenNamespaces, ...homes, ...more])]
    const cluster = new FormerCluster(controlPlane, namespaces)
    await installCrds(cluster.client)
    for (const name of namespaces) await cluster.user.create(Namespace, { metadata: { name } })
    for (const home of homes) await cluster.#enforceKeyPolicy(home)
    return cluster
  }

  load(objects?: readonly GoldenObject[]): Promise<readonly GoldenObject[]> {
    return loadGolden(this.#connection, objects)
  }

  /** Ends the operator and takes all objects away. */
  async clear(): Promise<void> {
    await this.#operator?.stop()
    this.#operator = undefined
    this.#writes = []
    await removeGolden(this.#connection, this.#namespaces)
  }

  get writes(): readonly Write[] {
    return this.#writes
  }

  async all<T extends KubeObject>(kind: Kind): Promise<readonly T[]> {
    return (await this.client.list<T>(kind, {})).items
  }

  /** Runs an operator in this namespace until every agent is as it should be and nothing is left to do. Returns its log. */
  async runUntil(home: string, isDone: (agent: LedgerClusterAgent) => boolean): Promise<readonly string[]> {
    return this.#run(home, [ledgerClusterAgentController(home)], LedgerClusterAgent, isDone)
  }

  /** The same for services, with an operator that looks after agents too. */
  async runServicesUntil(
    home: string,
    isDone: (service: LedgerService) => boolean,
    settings: Partial<Settings> = {},
  ): Promise<void> {
    await this.#run(home, allControllers(home, settings), LedgerService, isDone)
  }

  async #run<T extends KubeObject>(
    home: string,
    controllers: readonly Controller[],
    kind: Kind,
    isDone: (object: T) => boolean,
  ): Promise<readonly string[]> {
    await this.#operator?.stop()
    const messages: string[] = []
    const note = (_: object, message: string) => void messages.push(message)
    const operator = await startOperator({
      port: new Gate(this.#connection.port, { onCall: ({ body = '' }, request) => this.#note(request, body) }),
      clock: systemClock,
      log: { info: note, warn: note, error: note },
      controllers,
      scope: { own: home, watched: 'all' },
      instance: 'test',
      meter: noMeter,
      whenLeading: alone,
    })
    this.#operator = operator
    await eventually(
      () => `every ${kind.kind} is done; so far: ${this.#writes.map(({ what }) => what).join(', ')}`,
      async () => {
        const objects = await this.all<T>(kind)
        return objects.every((object) => isDone(object) && hasSeen(operator, object)) && operator.isQuiet
      },
    )
    return messages
  }

  /** Whether the admission policy would refuse to let this Secret go. */
  async isGuarded({ namespace = '', name }: ObjectKey): Promise<boolean> {
    const api = new ApiServer(this.#connection.port)
    const { status } = await api.delete(`/api/v1/namespaces/${namespace}/secrets/${name}`, dryRun)
    return status === 403
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator?.stop()
    await this.#connection.port.close()
    await this.#stop()
  }

  async #enforceKeyPolicy(namespace: string): Promise<void> {
    const probe = { namespace, name: 'probe' }
    const marks = { labels: { [agentNames.label]: 'probe' }, annotations: { [keyIdAnnotation]: '0123456789abcdef' } }
    await this.user.create(Secret, { metadata: { ...probe, ...marks } })
    await new ApiServer(this.#connection.port).mustApply(renderKeyPolicy(namespace))
    await eventually('the policy is in force', () => this.isGuarded(probe))
    await this.clear()
  }

  #note(request: Parameters<typeof isWrite>[0], body: string): undefined {
    const { verb, plural, namespace, name = '' } = request
    if (isWrite(request)) this.#writes.push({ what: `${verb} ${plural} ${printKey({ namespace, name })}`, body })
  }
}

const hasSeen = ({ informers }: Operator, object: KubeObject): boolean =>
  informers
    .flatMap(({ store }) => store.list())
    .some(({ metadata: { uid, resourceVersion } }) => {
      return uid === object.metadata.uid && resourceVersion === object.metadata.resourceVersion
    })
