import { LedgerService } from '../../src/api/ledgerservice.ts'
import { type KeyEntry, keysHashOf, renderKeyList } from '../../src/pure/key-list.ts'
import { ConfigMap, StatefulSet } from '../../src/pure/kind.ts'
import { keysRevisionAnnotation, serviceNames } from '../../src/pure/names.ts'
import { generation } from './keys-of-suite.ts'
import { createService, keyListKey, serviceKey } from './services.ts'
import { aSuite, type Suite } from './suite.ts'

const replicas = 3

/**
 * A service whose controller a test plays: it lists the keys that it is told to, and its pods load them when they are
 * told to. What is written is what the service's own controller and Kubernetes write.
 */
export class PlayedService {
  readonly #suite: Suite
  readonly #role: string
  #entries: readonly KeyEntry[] = []
  #revision = 0
  #generation = 0

  constructor(suite: Suite, role: string) {
    this.#suite = suite
    this.#role = role
  }

  /** The same service, after so many changes of its list. */
  static continued(suite: Suite, role: string, changes: number): PlayedService {
    const service = new PlayedService(suite, role)
    service.#revision = changes
    service.#generation = changes
    return service
  }

  get name(): string {
    return `${this.#suite.named(this.#role)}/books`
  }

  async create(spec: object = { auth: { enabled: true } }): Promise<void> {
    // Its operator looks after agents alone: what is done for the service, the test does.
    await createService(this.#suite, this.#role, { spec })
  }

  relabel(labels: Readonly<Record<string, string | null>>): Promise<void> {
    return this.#suite.user.patch(LedgerService, serviceKey(this.#suite, this.#role), { metadata: { labels } })
  }

  /** Publishes the public keys of these generations, and has pods made anew; they do not come up by themselves. */
  async list(...generations: readonly number[]): Promise<void> {
    const isFirst = this.#revision === 0
    this.#entries = await Promise.all(generations.map((number) => this.#entryOf(number)))
    this.#revision += 1
    const labels = { [serviceNames.managedBy.label]: serviceNames.managedBy.value }
    const annotations = { [keysRevisionAnnotation]: String(this.#revision) }
    const { user } = this.#suite
    const key = keyListKey(this.#suite, this.#role)
    const data = renderKeyList(this.#entries)
    if (isFirst) await user.create(ConfigMap, { metadata: { ...key, labels, annotations }, data })
    else await this.#replaceList(data, annotations)
    const template = {
      metadata: { annotations: { ...annotations, [serviceNames.keysHash]: keysHashOf(this.#entries) } },
    }
    if (isFirst) await user.create(StatefulSet, this.#statefulSet(labels, template.metadata.annotations))
    else await user.patch(StatefulSet, this.#workloadKey, { spec: { template } })
    this.#generation += 1
    await this.#status({ readyReplicas: isFirst ? 0 : replicas, updatedReplicas: 0, currentRevision: 'old' })
  }

  /** Has pods made anew without keys. */
  async unwire(): Promise<void> {
    const annotations = { [keysRevisionAnnotation]: null, [serviceNames.keysHash]: null }
    await this.#suite.user.patch(StatefulSet, this.#workloadKey, { spec: { template: { metadata: { annotations } } } })
    this.#revision += 1
    this.#generation += 1
  }

  /** Every pod has what was listed last. */
  load(): Promise<void> {
    const revision = `r${this.#revision}`
    return this.#status({ readyReplicas: replicas, updatedReplicas: replicas, currentRevision: revision })
  }

  /** So many pods have it; the next one does not come up. */
  stall(updatedReplicas: number): Promise<void> {
    return this.#status({ readyReplicas: replicas - 1, updatedReplicas, currentRevision: 'old' })
  }

  async #replaceList(data: Readonly<Record<string, string>>, annotations: object): Promise<void> {
    const key = keyListKey(this.#suite, this.#role)
    const list = await this.#suite.client.get<{ data?: Record<string, string> } & LedgerService>(ConfigMap, key)
    const none = Object.fromEntries(Object.keys(list?.data ?? {}).map((file) => [file, null]))
    await this.#suite.user.patch(ConfigMap, key, { metadata: { annotations }, data: { ...none, ...data } })
  }

  async #entryOf(number: number): Promise<KeyEntry> {
    const agent = this.#suite.agentName
    const secret = await generation(this.#suite, number)
    const keyId = Buffer.from(secret?.data?.['key-id'] ?? '', 'base64').toString()
    const publicKey = Buffer.from(secret?.data?.['pubkey.hex'] ?? '', 'base64').toString()
    const file = serviceNames.publicKeyFile(agent, { generation: number, keyId })
    return { agent, file, keyId, publicKey, scopes: null, god: false }
  }

  get #workloadKey() {
    return { namespace: this.#suite.named(this.#role), name: serviceNames.workload('books') }
  }

  #statefulSet(labels: object, annotations: object) {
    const selector = { app: 'books' }
    return {
      metadata: { ...this.#workloadKey, labels },
      spec: {
        replicas,
        serviceName: 'books',
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector, annotations },
          spec: { containers: [{ name: 'ledger', image: 'ledger' }] },
        },
      },
    }
  }

  #status(status: object): Promise<void> {
    return this.#suite.user.patchStatus(StatefulSet, this.#workloadKey, {
      status: {
        observedGeneration: this.#generation,
        replicas,
        updateRevision: `r${this.#revision}`,
        ...status,
      },
    })
  }
}

interface Played {
  readonly suite: Suite
  readonly services: readonly PlayedService[]
}

/** An agent whose first key every service of these namespaces has loaded. */
export const aLoadedSuite = async (...roles: readonly string[]): Promise<Played & AsyncDisposable> => {
  const suite = await aSuite(roles)
  const services = roles.map((role) => new PlayedService(suite, role))
  for (const service of services) await service.create()
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  for (const service of services) await service.list(1)
  for (const service of services) await service.load()
  await suite.settle()
  return { suite, services, [Symbol.asyncDispose]: () => suite[Symbol.asyncDispose]() }
}
