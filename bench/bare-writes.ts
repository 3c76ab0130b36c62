import { randomBytes } from 'node:crypto'
import { LedgerClusterAgent } from '../src/api/ledgerclusteragent.ts'
import type { Client } from '../src/kube/client.ts'
import { agentKeyOf, agentSeedLength } from '../src/pure/agent-key.ts'
import { Event, Secret } from '../src/pure/kind.ts'
import {
  agentNames,
  claimAnnotation,
  deleteAnnotation,
  generationAnnotation,
  keyIdAnnotation,
} from '../src/pure/names.ts'
import { type KubeObject, keyOf, preconditionOf } from '../src/pure/object.ts'
import { revealToWire } from '../src/pure/secret-text.ts'

const { manager, finalizer, label } = agentNames

/** The operator's writes for an agent that is new or being deleted, in its order, without a single read. */
export class BareWrites {
  readonly #client: Client
  readonly #namespace: string
  /** By agent: its Secrets in the order in which they go, the canonical one last. */
  readonly #secrets = new Map<string, readonly KubeObject[]>()

  constructor(client: Client, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  async establish(agent: LedgerClusterAgent): Promise<void> {
    const { name } = agent.metadata
    const set = { annotations: { [claimAnnotation]: this.#namespace }, finalizers: [finalizer] }
    const claim = { on: preconditionOf(agent), set }
    const marked = await this.#client.mark<LedgerClusterAgent>(LedgerClusterAgent, { name }, claim, manager)
    const key = agentKeyOf(randomBytes(agentSeedLength))
    const data = revealToWire(key)
    const canonical = await this.#createCanonical(name, key['key-id'], data)
    const replicas = await Promise.all(
      (agent.spec?.additionalNamespaces ?? []).map((namespace) => {
        const metadata = { namespace, name: agentNames.replica(name), labels: { [label]: name } }
        return this.#client.create(Secret, { metadata, type: 'Opaque', data }, manager)
      }),
    )
    this.#secrets.set(name, [...replicas, canonical])
    const sent = { metadata: { name }, status: readyStatus(key['key-id'], replicas) }
    await this.#client.applyStatus(LedgerClusterAgent, sent, preconditionOf(marked), manager)
    await this.#tell(agent, 'KeyPairReady')
  }

  async withdraw(agent: LedgerClusterAgent): Promise<void> {
    const { name } = agent.metadata
    const secrets = this.#secrets.get(name) ?? []
    const remove = (secret: KubeObject) => this.#client.delete(Secret, keyOf(secret), secret.metadata.uid)
    await Promise.all(secrets.slice(0, -1).map(remove))
    for (const canonical of secrets.slice(-1)) {
      const set = { annotations: { [deleteAnnotation]: canonical.metadata.annotations?.[keyIdAnnotation] ?? '' } }
      await this.#client.mark(Secret, keyOf(canonical), { on: preconditionOf(canonical), set }, manager)
      await remove(canonical)
    }
    const release = { on: preconditionOf(agent), set: { finalizers: [] } }
    await this.#client.mark(LedgerClusterAgent, { name }, release, manager)
  }

  async #tell(agent: LedgerClusterAgent, reason: string): Promise<void> {
    await this.#client.create(Event, anEvent(agent, reason), manager)
  }

  #createCanonical(agent: string, keyId: string, data: Readonly<Record<string, string>>): Promise<KubeObject> {
    const annotations = { [generationAnnotation]: '1', [claimAnnotation]: this.#namespace, [keyIdAnnotation]: keyId }
    const metadata = {
      namespace: this.#namespace,
      name: agentNames.canonical(agent),
      labels: { [label]: agent },
      annotations,
    }
    return this.#client.create(Secret, { metadata, type: 'Opaque', immutable: true, data }, manager)
  }
}

const anEvent = ({ metadata: { name, uid } }: LedgerClusterAgent, reason: string) => ({
  metadata: { namespace: 'default', name: `${name}.${randomBytes(8).toString('hex')}` },
  eventTime: new Date().toISOString().replace('Z', '000Z'),
  reportingController: manager,
  reportingInstance: 'bare',
  action: reason,
  type: 'Normal',
  reason,
  note: 'the key is in 1 of 1 namespaces',
  regarding: { apiVersion: 'ledger.formance.com/v1alpha1', kind: 'LedgerClusterAgent', name, uid },
})

const readyStatus = (keyID: string, replicas: readonly KubeObject[]): object => {
  const condition = { observedGeneration: 1, lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z') }
  const message = `the key is in ${replicas.length} of ${replicas.length} namespaces`
  return {
    phase: 'Ready',
    keyID,
    distributedSecretRefs: replicas.map(keyOf),
    targets: replicas.map(({ metadata }) => ({ namespace: metadata.namespace, ready: true })),
    observedGeneration: 1,
    conditions: [
      { ...condition, type: 'Ready', status: 'True', reason: 'KeyPairReady', message },
      {
        ...condition,
        type: 'SelectorResolved',
        status: 'True',
        reason: 'Resolved',
        message: '0 services match: spec.selector is empty, so every LedgerService that this operator sees does',
      },
    ],
  }
}
