import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { allControllers } from '../../src/controllers/all.ts'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { installCrds } from '../../src/dev/install-crds.ts'
import { startKubelet } from '../../src/dev/kubelet.ts'
import { Informer } from '../../src/kube/informer.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { systemClock } from '../../src/kube/clock.ts'
import type { Duration } from '../../src/pure/duration.ts'
import { Namespace, Pod } from '../../src/pure/kind.ts'
import { alone } from '../../src/runtime/alone.ts'
import { noMeter } from '../../src/runtime/meter.ts'
import { type Operator, startOperator } from '../../src/runtime/operator.ts'
import { JumpingClock } from '../kit/jumping-clock.ts'
import { PlayedLedgers } from '../kit/played-ledgers.ts'
import { connectAsAdmin } from '../kit/shared-control-plane.ts'
import { User } from '../kit/user.ts'
import { operatorNamespace, Tenancy } from './tenancy.ts'

/**
 * A cluster of its own with everything that there is in one, but for what runs in the pods: the operator with all its
 * controllers, Kubernetes' own controllers, and ledgers that are played.
 */
export class LedgerWorld implements AsyncDisposable {
  readonly user: User
  readonly #clock = new JumpingClock()
  readonly ledgers: PlayedLedgers
  readonly logs: string[] = []
  readonly client: ReturnType<typeof connectAsAdmin>['client']
  readonly #started = new AsyncDisposableStack()
  #operator: Operator | undefined

  private constructor({ port, client }: ReturnType<typeof connectAsAdmin>) {
    this.user = new User(port)
    this.ledgers = new PlayedLedgers(client)
    this.client = client
  }

  static async start(): Promise<LedgerWorld> {
    const controlPlane = await startControlPlane({ controllerManager: true })
    const connection = connectAsAdmin(controlPlane.kubeconfig)
    const world = new LedgerWorld(connection)
    world.#started.defer(() => controlPlane.stop())
    world.#started.defer(() => connection.port.close())
    await installCrds(connection.client)
    await world.user.create(Namespace, { metadata: { name: operatorNamespace } })
    await world.#play(connection)
    const operator = await startOperator({
      port: connection.port,
      clock: world.#clock,
      log: pino({ base: null }, { write: (line) => void world.logs.push(line) }),
      controllers: allControllers(operatorNamespace),
      scope: { own: operatorNamespace, watched: 'all' },
      instance: 'test',
      meter: noMeter,
      whenLeading: alone,
    })
    world.#started.defer(() => operator.stop())
    world.#operator = operator
    return world
  }

  /** Sets the clock forward, and lets the operator look at everything by then. */
  async jump(time: Duration): Promise<void> {
    this.#clock.jump(time)
    this.#operator?.resync()
    await eventually('the operator has looked at everything', () => this.#operator?.isQuiet)
  }

  async #play({ port, client }: ReturnType<typeof connectAsAdmin>): Promise<void> {
    const kubelet = await startKubelet({ port, clock: systemClock })
    this.#started.use(kubelet)
    this.ledgers.joinKubelet(kubelet)
    const stopped = new AbortController()
    const wires = {
      client,
      clock: systemClock,
      signal: stopped.signal,
      syncs: new Turnstile(1),
      onTrouble: () => undefined,
    }
    const pods = new Informer({ kind: Pod, choice: {}, extent: 'metadata', indexes: {} }, undefined, wires)
    pods.store.onChange((before, after) => {
      if (before !== undefined && before.metadata.uid !== after?.metadata.uid) this.ledgers.forget(before.metadata.uid)
    })
    const running = pods.run()
    this.#started.defer(async () => {
      stopped.abort()
      await running
    })
  }

  /** Namespaces of one test's own, each with a ledger that takes the tokens of the agent. */
  async createServices(...roles: readonly string[]): Promise<Tenancy> {
    const tenancy = new Tenancy(this, randomBytes(4).toString('hex'))
    for (const role of roles) {
      const namespace = tenancy.named(role)
      await this.user.create(Namespace, { metadata: { name: namespace } })
      await this.user.create(LedgerService, {
        metadata: { namespace, name: 'books', labels: tenancy.labels },
        spec: { auth: { enabled: true }, replicas: 3 },
      })
    }
    return tenancy
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync()
  }
}
