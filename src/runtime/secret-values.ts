import { ApiError } from '../kube/api-error.ts'
import type { Client, Sent } from '../kube/client.ts'
import type { Desired, SecretValueRef } from '../pure/effects.ts'
import { fingerprint } from '../pure/fingerprint.ts'
import { Secret } from '../pure/kind.ts'
import { type KubeObject, printKey } from '../pure/object.ts'

type Data = Readonly<Record<string, string>>

/** Puts Secret values in the place of references. Lives for one plan, so that values are held no longer than that. */
export class SecretValues {
  readonly #client: Client
  readonly #read = new Map<string, Promise<Data>>()

  constructor(client: Client) {
    this.#client = client
  }

  async fill({ data, ...object }: Desired): Promise<Sent> {
    if (data === undefined) return object
    const values = Object.entries<SecretValueRef | string>(data).map(
      async ([field, value]) => [field, typeof value === 'string' ? value : await this.#valueOf(value)] as const,
    )
    return { ...object, data: Object.fromEntries(await Promise.all(values)) }
  }

  /** Base64, as the API server has it. Refused when it is not the value that the plan was made for. */
  async #valueOf({ from, field, fingerprint: expected }: SecretValueRef): Promise<string> {
    const name = printKey(from)
    const reading = this.#read.get(name) ?? this.#data(from)
    this.#read.set(name, reading)
    const value = (await reading)[field]
    if (value !== undefined && fingerprint(Buffer.from(value, 'base64')) === expected) return value
    const why = `its ${field} is not what it was when the plan was made`
    throw new ApiError({ verb: 'get', kind: Secret, key: from }, { why, class: 'conflict' })
  }

  async #data(from: SecretValueRef['from']): Promise<Data> {
    const secret = await this.#client.get<KubeObject & { data?: Data }>(Secret, from)
    return secret?.metadata.uid === from.uid ? (secret.data ?? {}) : {}
  }
}
