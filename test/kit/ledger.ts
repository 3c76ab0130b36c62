import { LedgerService } from '../../src/api/ledgerservice.ts'
import type { LiveWorkload } from '../../src/controllers/ledgerservice/observed.ts'
import type { Condition } from '../../src/pure/conditions.ts'
import { type KeyList, readKeyList } from '../../src/pure/key-list.ts'
import { stampOfPods } from '../../src/pure/key-rollout.ts'
import { ConfigMap, type Kind, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { isWrite, printRequest } from './request.ts'
import { createService, serviceKey } from './services.ts'
import { aSuite, type Suite, type SuiteOptions } from './suite.ts'

/** What it is made of. */
export const ledgerObjects: readonly (readonly [Kind, string])[] = [
  [ServiceAccount, 'ledger-books'],
  [Service, 'ledger-books-headless'],
  [Service, 'ledger-books'],
  [ConfigMap, 'ledger-books-auth-keys'],
  [StatefulSet, 'ledger-books'],
]

/** A suite with the service `books` in namespace `a`, whose operator looks after agents and services. */
export class Ledger implements AsyncDisposable {
  readonly suite: Suite
  /** What its operator has written, but for events. */
  readonly writes: string[]

  readonly #role: string

  constructor(suite: Suite, writes: string[] = [], role = 'a') {
    this.suite = suite
    this.#role = role
    this.writes = writes
  }

  readonly key = () => serviceKey(this.suite, this.#role)
  readonly at = (name: string) => ({ namespace: this.suite.named(this.#role), name })

  get<T extends KubeObject>(kind: Kind, name: string): Promise<T | undefined> {
    return this.suite.client.get<T>(kind, this.at(name))
  }

  workload(): Promise<LiveWorkload | undefined> {
    return this.get(StatefulSet, 'ledger-books')
  }

  list(): Promise<KeyList | undefined> {
    return this.get(ConfigMap, 'ledger-books-auth-keys')
  }

  service(): Promise<LedgerService | undefined> {
    return this.suite.client.get(LedgerService, this.key())
  }

  async condition(type = 'Ready'): Promise<Condition | undefined> {
    return (await this.service())?.status?.conditions?.find((condition) => condition.type === type)
  }

  /** The keys in the list, each by its agent. */
  async listed(): Promise<readonly (string | undefined)[]> {
    const read = readKeyList((await this.list())?.data ?? {})
    if ('unknown' in read) throw new Error(read.unknown)
    return read.known.map(({ agent }) => agent)
  }

  async stamp() {
    const workload = await this.workload()
    return workload && stampOfPods(workload)
  }

  change(spec: object): Promise<void> {
    return this.suite.user.patch(LedgerService, this.key(), { spec })
  }

  /** What a StatefulSet's controller says when every replica is ready and made from the newest template. */
  async rollOut(more: object = {}): Promise<void> {
    const workload = await this.workload()
    const replicas = workload?.spec?.replicas ?? 0
    const counts = { replicas, readyReplicas: replicas, updatedReplicas: replicas, currentReplicas: replicas }
    const revisions = { currentRevision: 'one', updateRevision: 'one' }
    const observedGeneration = workload?.metadata.generation
    const status = { ...counts, ...revisions, observedGeneration, ...more }
    await this.suite.user.patchStatus(StatefulSet, this.at('ledger-books'), { status })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.suite[Symbol.asyncDispose]()
  }
}

export interface LedgerOptions extends SuiteOptions {
  readonly spec?: object
  /** Whether an agent matches it; it does unless this says otherwise. */
  readonly withAgent?: boolean
}

/** Nothing left to do for it. */
export const aLedger = async (options: LedgerOptions = {}): Promise<Ledger> => {
  const { spec = { auth: { enabled: true } }, withAgent = true, gate, ...rest } = options
  const writes: string[] = []
  const suite = await aSuite(['a'], {
    ...rest,
    withServices: true,
    gate: {
      onCall: (request, described) => {
        if (isWrite(described) && described.plural !== 'events') writes.push(printRequest(described, suite.id))
        return gate?.onCall(request, described)
      },
    },
  })
  const ledger = new Ledger(suite, writes)
  if (withAgent) await suite.createAgent([])
  await createService(suite, 'a', { spec })
  await suite.start()
  await suite.settle()
  return ledger
}
