import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { Client } from '../../src/kube/client.ts'
import type { Port } from '../../src/kube/port.ts'
import type { Condition } from '../../src/pure/conditions.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation } from '../../src/pure/names.ts'
import type { KubeObject, ObjectKey } from '../../src/pure/object.ts'
import type { Scope as OperatorScope } from '../../src/pure/scope.ts'
import { noMeter } from '../../src/runtime/meter.ts'
import { startOperator } from '../../src/runtime/operator.ts'
import { startChildOperator } from './child-operator.ts'
import { deleteMeant, guardedLabel } from './key-guard.ts'
import { removeNamespace } from './namespaces.ts'
import { Gate, type GateOptions } from './gate.ts'
import { type Handle, idle, type Scope, suiteLabel } from './idle.ts'
import { type ControllerOptions, controllersOf } from './suite-controllers.ts'
import { type Connection, sharedConnection } from './shared-control-plane.ts'
import { asAdmin } from './standing.ts'
import { settle } from './standstill.ts'
import { TurnedClock } from './turned-clock.ts'
import { User } from './user.ts'

export interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
  readonly type?: string
  readonly immutable?: boolean
}

export interface SuiteOptions extends ControllerOptions {
  readonly gate?: GateOptions
  /** The namespaces that the operator serves; absent: all. */
  readonly watchedRoles?: readonly string[]
  /** Without the admission policy, for what it forbids. */
  readonly isUnguarded?: boolean
  /** A cluster of its own; absent: the one that all share. */
  readonly cluster?: Connection
  /** Comes between operator and gate; a bug can be planted here. */
  readonly port?: (gate: Port) => Port
}

const letPass: GateOptions = { onCall: () => undefined }

/** One test's corner of the shared cluster: its own namespaces, its own agent, its own operator behind a gate. */
export class Suite implements AsyncDisposable {
  readonly id = randomBytes(4).toString('hex')
  readonly operatorNamespace = this.named('operator')
  readonly agentName = this.named('agent')
  readonly scope: Scope = { suite: this.id }
  readonly labels: Readonly<Record<string, string>> = { [suiteLabel]: this.id }
  readonly clock = new TurnedClock()
  readonly logs: string[] = []
  readonly client: Client
  readonly user: User
  /** What the next operator serves. */
  watchedRoles: readonly string[] | undefined
  readonly #cluster: Connection
  readonly #options: SuiteOptions
  readonly #namespaces = new Set<string>()
  #running: { readonly gate: Gate; readonly operator?: Handle } | undefined

  constructor(options: SuiteOptions = {}) {
    this.#cluster = options.cluster ?? sharedConnection()
    this.client = this.#cluster.client
    this.user = new User(this.#cluster.port)
    this.#options = options
    this.watchedRoles = options.watchedRoles
  }

  /** A name that no other test has. */
  named(role: string): string {
    return `${role}-${this.id}`
  }

  async createNamespaces(...roles: readonly string[]): Promise<void> {
    await Promise.all(
      roles.map(async (role) => {
        const guard = role === 'operator' && this.#options.isUnguarded !== true ? guardedLabel : {}
        const labels = { ...this.labels, ...guard }
        await this.user.create(Namespace, { metadata: { name: this.named(role), labels } })
        this.#namespaces.add(this.named(role))
      }),
    )
  }

  /** Where the operator of this test works. */
  get operatorScope(): OperatorScope {
    return { own: this.operatorNamespace, watched: this.watchedRoles?.map((role) => this.named(role)) ?? 'all' }
  }

  /** The agent of this test, claimed beforehand so that no other test's operator takes it up. */
  async createAgent(roles: readonly string[], metadata: object = {}): Promise<void> {
    const annotations = { [claimAnnotation]: this.operatorNamespace }
    await this.user.create(LedgerClusterAgent, {
      metadata: { name: this.agentName, annotations, labels: this.labels, ...metadata },
      // Not empty: that would match the services of all other tests.
      spec: { selector: { matchLabels: this.labels }, additionalNamespaces: roles.map((role) => this.named(role)) },
    })
  }

  target(roles: readonly string[]): Promise<void> {
    const additionalNamespaces = roles.map((role) => this.named(role))
    return this.user.patch(LedgerClusterAgent, { name: this.agentName }, { spec: { additionalNamespaces } })
  }

  /** Starts an operator, behind a gate of its own. */
  async start(gateOptions = this.#options.gate ?? letPass, standing = asAdmin(this.#cluster.port)): Promise<Handle> {
    const gate = new Gate(standing.connection, gateOptions)
    this.#running = { gate }
    // The product's own logger: what it would print of an error is printed here too.
    const log = pino({ base: null }, { write: (line) => void this.logs.push(line) })
    const operator = await startOperator({
      port: standing.fence(this.#options.port?.(gate) ?? gate),
      clock: this.clock,
      log,
      controllers: controllersOf(this.operatorNamespace, this.#options),
      scope: this.operatorScope,
      instance: `test-${this.id}`,
      meter: noMeter,
      whenLeading: standing.whenLeading,
    })
    this.#running = { operator, gate }
    return operator
  }

  /** The same with the operator as a process of its own, which a kill really kills. */
  async startChild(gateOptions: GateOptions): Promise<void> {
    const child = await startChildOperator(sharedConnection().port, gateOptions, this.operatorScope)
    createInterface({ input: child.output }).on('line', (line) => void this.logs.push(line))
    this.#running = child
  }

  get operator(): Handle {
    if (this.#running?.operator === undefined) throw new Error('no operator was started')
    return this.#running.operator
  }

  get gate(): Gate {
    if (this.#running === undefined) throw new Error('no operator was started')
    return this.#running.gate
  }

  /** Ends the operator, as it is. */
  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.gate.close()
    await running?.operator?.stop()
  }

  /** Does something while no operator runs, and lets a new one settle. */
  async restart(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.stop()
    await meanwhile()
    await this.start()
    await this.settle()
  }

  idle(): Promise<void> {
    return idle(this)
  }

  /** Objects of this test alone, as the server has them now. */
  async secrets(): Promise<readonly SecretObject[]> {
    const lists = await Promise.all(
      [...this.#namespaces].map((namespace) => this.client.list<SecretObject>(Secret, { namespace })),
    )
    return lists.flatMap(({ items }) => items)
  }

  settle(): Promise<void> {
    return settle(this)
  }

  /**
   * Turns the clock to what comes next within half a minute; false when nothing does. The watches' own timers (70 s) stay
   * out of it: set off one after the other they would always be next.
   */
  turnToNextTimer(): boolean {
    const next = this.clock.untilNext
    if (next === undefined || next > seconds(30)) return false
    this.clock.turn(milliseconds(Math.max(next, 1)))
    return true
  }

  deleteAgent(): Promise<void> {
    return this.user.delete(LedgerClusterAgent, { name: this.agentName })
  }

  async deleteCanonical(): Promise<void> {
    const canonical = await this.canonical()
    if (canonical !== undefined) await deleteMeant(this.user, canonical)
  }

  stripLabel(secret: ObjectKey): Promise<void> {
    return this.user.patch(Secret, secret, { metadata: { labels: { [agentNames.label]: null } } })
  }

  agent(): Promise<LedgerClusterAgent | undefined> {
    return this.client.get(LedgerClusterAgent, { name: this.agentName })
  }

  async condition(type = 'Ready'): Promise<Condition | undefined> {
    return (await this.agent())?.status?.conditions?.find((condition) => condition.type === type)
  }

  canonicalKey = () => ({ namespace: this.operatorNamespace, name: agentNames.canonical(this.agentName) })

  replicaKey = (role: string) => ({ namespace: this.named(role), name: agentNames.replica(this.agentName) })

  canonical(): Promise<SecretObject | undefined> {
    return this.client.get(Secret, this.canonicalKey())
  }

  replica(role: string): Promise<SecretObject | undefined> {
    return this.client.get(Secret, this.replicaKey(role))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    if ((await this.agent()) !== undefined) {
      await this.user.patch(LedgerClusterAgent, { name: this.agentName }, { metadata: { finalizers: [] } })
      if ((await this.agent()) !== undefined) await this.user.delete(LedgerClusterAgent, { name: this.agentName })
    }
    await Promise.all([...this.#namespaces].map((name) => removeNamespace(name, this.#cluster)))
  }
}

/** A suite with an operator's namespace and these target namespaces, and nothing running yet. */
export const aSuite = async (roles: readonly string[], options: SuiteOptions = {}): Promise<Suite> => {
  const suite = new Suite(options)
  await suite.createNamespaces('operator', ...roles)
  return suite
}

/** A suite whose agent names these namespaces, and whose operator has nothing left to do for it. */
export const aServedSuite = async (roles: readonly string[], options: SuiteOptions = {}): Promise<Suite> => {
  const suite = await aSuite(roles, options)
  await suite.start()
  await suite.createAgent(roles)
  await suite.settle()
  return suite
}
