import { ApiError } from '../kube/api-error.ts'
import type { Client, Sent } from '../kube/client.ts'
import type { Desired, SecretValueRef } from '../pure/effects.ts'
import { fingerprint } from '../pure/fingerprint.ts'
import { Secret } from '../pure/kind.ts'
import { type KubeObject, printKey } from '../pure/object.ts'
import { SecretText } from '../pure/secret-text.ts'

/** Base64, as the API server has it. */
type Data = ReadonlyMap<string, SecretText>

interface WholeSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

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
      async ([field, value]) =>
        [field, typeof value === 'string' ? value : (await this.#valueOf(value)).reveal()] as const,
    )
    return { ...object, data: Object.fromEntries(await Promise.all(values)) }
  }

  /** Refused when it is not the value that the plan was made for. */
  async #valueOf({ from, field, fingerprint: expected }: SecretValueRef): Promise<SecretText> {
    const name = printKey(from)
    const reading = this.#read.get(name) ?? this.#data(from)
    this.#read.set(name, reading)
    const value = (await reading).get(field)
    if (value !== undefined && fingerprint(Buffer.from(value.reveal(), 'base64')) === expected) return value
    const why = `its ${field} is not what it was when the plan was made`
    throw new ApiError({ verb: 'get', kind: Secret, key: from }, { why, class: 'conflict' })
  }

  async #data(from: SecretValueRef['from']): Promise<Data> {
    const secret = await this.#client.get<WholeSecret>(Secret, from)
    const data = secret?.metadata.uid === from.uid ? secret.data : undefined
    return new Map(Object.entries(data ?? {}).map(([field, value]) => [field, new SecretText(value)]))
  }
}
