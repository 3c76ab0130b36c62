import { setTimeout as pause } from 'node:timers/promises'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { Client } from '../../src/kube/client.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import type { ObjectKey } from '../../src/pure/object.ts'
import type { SecretObject } from '../kit/suite.ts'
import { type Bundle, signToken } from '../kit/token-verifier.ts'
import type { PlayedLedgers } from '../kit/played-ledgers.ts'
import type { User } from '../kit/user.ts'

export const operatorNamespace = 'holdfast-system'

const scopes = ['ledger:read']

/** What a tenancy needs of the cluster that it is in. */
export interface Surroundings {
  readonly client: Client
  readonly user: User
  readonly ledgers: PlayedLedgers
  readonly logs: readonly string[]
}

/** One agent, and the ledgers that it signs for. */
export class Tenancy {
  readonly labels: Readonly<Record<string, string>>
  readonly agentName: string
  readonly #world: Surroundings
  readonly #id: string

  constructor(world: Surroundings, id: string) {
    this.#world = world
    this.#id = id
    this.labels = { tenancy: id }
    this.agentName = this.named('agent')
  }

  named(role: string): string {
    return `${role}-${this.#id}`
  }

  createAgent(rotation: object = {}): Promise<void> {
    return this.#world.user.create(LedgerClusterAgent, {
      metadata: { name: this.agentName },
      spec: { selector: { matchLabels: this.labels }, scopes, rotation },
    })
  }

  annotate(annotations: Readonly<Record<string, string | null>>): Promise<void> {
    return this.#world.user.patch(LedgerClusterAgent, { name: this.agentName }, { metadata: { annotations } })
  }

  deleteAgent(): Promise<void> {
    return this.#world.user.delete(LedgerClusterAgent, { name: this.agentName })
  }

  agent(): Promise<LedgerClusterAgent | undefined> {
    return this.#world.client.get(LedgerClusterAgent, { name: this.agentName })
  }

  service(role: string): Promise<LedgerService | undefined> {
    return this.#world.client.get(LedgerService, { namespace: this.named(role), name: 'books' })
  }

  /** The key that somebody in this namespace signs with. */
  keyIn(role: string): Promise<Bundle> {
    return this.#keyOf({ namespace: this.named(role), name: agentNames.replica(this.agentName) })
  }

  /** The agent's nth key, as nobody but the operator has it until it is used. */
  keyOfGeneration(number: number): Promise<Bundle> {
    return this.#keyOf({ namespace: operatorNamespace, name: agentNames.generation(this.agentName, number) })
  }

  async #keyOf(key: ObjectKey): Promise<Bundle> {
    const secret = await this.#world.client.get<SecretObject>(Secret, key)
    const text = (field: string) => Buffer.from(secret?.data?.[field] ?? '', 'base64').toString()
    return { keyId: text('key-id'), signingKey: text('seed.hex'), subject: this.agentName, scopes }
  }

  /** How the pods of each ledger that run answer to a token of this key, one by one. */
  answers(signer: Bundle, ...roles: readonly string[]): readonly (readonly number[])[] {
    return roles.map((role) => this.#world.ledgers.answersIn(this.named(role), signToken(signer)))
  }

  async eventually(question: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
    await eventually(() => `${question}\n${this.#world.logs.slice(-10).join('')}`, isSo)
  }

  /** Every ledger runs in full, and every pod of it takes tokens of this key, or none does. */
  async allAnswer(status: number, signer: Bundle, ...roles: readonly string[]): Promise<void> {
    await this.eventually(`all pods of ${roles.join(', ')} answer ${status} to key ${signer.keyId}`, () =>
      this.answers(signer, ...roles).every((pods) => pods.length === 3 && pods.every((answer) => answer === status)),
    )
  }

  async condition(type: string) {
    return (await this.agent())?.status?.conditions?.find((condition) => condition.type === type)
  }

  async generations(): Promise<readonly string[]> {
    return ((await this.agent())?.status?.generations ?? []).map(({ generation, state }) => `${generation} ${state}`)
  }

  /** Whoever signs with the key that lies in his namespace gets in everywhere, at all times: what was seen otherwise. */
  guardAccess(...roles: readonly string[]): AsyncDisposable & { readonly violations: readonly string[] } {
    const violations: string[] = []
    const stopped = new AbortController()
    const look = async () => {
      while (!stopped.signal.aborted) {
        const signers = await Promise.all(roles.map((role) => this.keyIn(role)))
        for (const signer of signers) {
          const refusing = roles.filter((role) =>
            this.answers(signer, role)
              .flat()
              .some((answer) => answer !== 200),
          )
          if (refusing.length > 0) violations.push(`key ${signer.keyId} is refused in ${refusing.join(', ')}`)
        }
        await pause(20)
      }
    }
    const looking = look()
    // It is waited for at the end; until then it is not an error of nobody's.
    looking.catch(() => undefined)
    return {
      violations,
      async [Symbol.asyncDispose]() {
        stopped.abort()
        await looking
      },
    }
  }
}
