import { expect } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import type { Account } from './account.ts'
import { type AttackedCluster, attacker, victim } from './attacked-cluster.ts'
import { HealthGuard } from './health-guard.ts'
import type { OperatorProcess } from './operator-process.ts'
import { agents } from './paths.ts'
import { createAgent, createService, credentialsOf, servedAgent, untilListed } from './tenancies.ts'

const bystander = { agent: 'bystander', service: 'bystander-books' }
/** The attacker's own service, and the agent that it takes tokens of. */
export const own = { agent: 'own', service: 'own-books' }

// What is done for one object may not wait for what is done to another.
const promptMs = 15_000
// Drift is repaired within so long, also while the machine is busy.
const soonMs = 15_000

let attacks = 0

/** One attack: from the moment at which all is well to the proof that it still is, for everybody but the attacker. */
export class Attack implements AsyncDisposable {
  readonly admin: Account
  readonly tenant: Account
  readonly operator: OperatorProcess
  readonly #cluster: AttackedCluster
  readonly #operators: OperatorProcess[]
  readonly #guards: HealthGuard[]
  readonly #before: Awaited<ReturnType<typeof credentialsOf>>
  readonly #cleanup = new AsyncDisposableStack()
  #isUnharmed = false

  private constructor(
    cluster: AttackedCluster,
    operator: OperatorProcess,
    before: Awaited<ReturnType<typeof credentialsOf>>,
  ) {
    this.#cluster = cluster
    this.admin = cluster.admin
    this.tenant = cluster.tenant
    this.operator = operator
    this.#before = before
    this.#operators = [operator]
    this.#guards = [new HealthGuard(operator)]
  }

  static async begin(cluster: AttackedCluster): Promise<Attack> {
    const operator = await cluster.operator()
    await prepare(cluster.admin).catch((cause: unknown) => {
      throw new Error(`all is not well before the attack:\n${operator.lastLines}`, { cause })
    })
    const { agent, service } = bystander
    return new Attack(cluster, operator, await credentialsOf(cluster.admin, agent, service))
  }

  /** Another process of the installation, which stands by and is watched over too. It ends with the attack. */
  async standby(): Promise<OperatorProcess> {
    const standby = await this.#cluster.startOperator()
    this.after(() => standby.stop())
    await standby.ready()
    this.#operators.push(standby)
    this.#guards.push(new HealthGuard(standby))
    return standby
  }

  /** To be done when the attack is over, however it ends. */
  after(work: () => Promise<unknown>): void {
    this.#cleanup.defer(async () => {
      await work()
    })
  }

  /** Waits until it is so, for as long as every process lives. */
  async until<T>(
    question: string | (() => string),
    isSo: () => Promise<T | undefined | false>,
    withinMs = soonMs,
  ): Promise<T> {
    const ask = async () => {
      for (const operator of this.#operators) operator.mustBeAlive()
      return isSo()
    }
    return eventually(question, ask, withinMs)
  }

  /** Changes an object that the operator repairs. Where it does not, the object is deleted for the next attack. */
  async tamper(path: string, change: object | string): Promise<void> {
    this.#cleanup.defer(async () => {
      if (!this.#isUnharmed) await this.admin.delete(path)
    })
    await this.tenant.patch(path, change)
  }

  /** Creates an object that is deleted when the attack is over. */
  async plant(account: Account, path: string, object: object | string): Promise<void> {
    await account.create(path.slice(0, path.lastIndexOf('/')), object)
    this.after(() => this.admin.delete(path))
  }

  /** What was wrong with the answers of the processes since the last time; the questions go on. */
  async healthFaults(): Promise<readonly string[]> {
    const guards = this.#guards.splice(0)
    this.#guards.push(...this.#operators.map((operator) => new HealthGuard(operator)))
    return (await Promise.all(guards.map((guard) => guard.finish()))).flat()
  }

  /** The processes live and have answered in time, nobody else's keys have changed, and other objects are served. */
  async expectBystandersUnharmed(): Promise<void> {
    const faults = (await Promise.all(this.#guards.splice(0).map((guard) => guard.finish()))).flat()
    expect(faults).toEqual([])
    expect(await credentialsOf(this.admin, bystander.agent, bystander.service)).toEqual(this.#before)
    attacks += 1
    const name = `newcomer-${attacks}`
    await createAgent(this.admin, { name, namespaces: [victim] })
    this.after(() => this.admin.delete(agents(name)))
    await servedAgent(this.admin, { name, namespaces: [victim] }, promptMs)
    this.#isUnharmed = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#guards.splice(0).map((guard) => guard.finish()))
    // The next attack finds a process that this one has not harmed.
    if (!this.#isUnharmed) await this.#cluster.stopOperator()
    await this.#cleanup.disposeAsync()
  }
}

/** Once per cluster: services and agents of both tenants, with keys in use. */
const prepare = async (admin: Account): Promise<void> => {
  if ((await admin.get(agents(bystander.agent))) === undefined) {
    await createService(admin, { namespace: victim, name: bystander.service })
    await createService(admin, { namespace: attacker, name: own.service })
    await createAgent(admin, { name: bystander.agent, services: [bystander.service] })
    await createAgent(admin, { name: own.agent, services: [own.service, bystander.service] })
  }
  const theirs = { namespace: victim, name: bystander.service }
  await untilListed(admin, theirs, await servedAgent(admin, { name: bystander.agent, namespaces: [victim] }))
  const shared = await servedAgent(admin, { name: own.agent, namespaces: [victim, attacker] })
  await untilListed(admin, theirs, shared)
  await untilListed(admin, { namespace: attacker, name: own.service }, shared)
}
