import { isApiError } from '../../../src/kube/api-error.ts'
import type { Client, Sent } from '../../../src/kube/client.ts'
import type { Desired, Effect, SecretValueRef } from '../../../src/pure/effects.ts'
import { fingerprint } from '../../../src/pure/fingerprint.ts'
import { Secret } from '../../../src/pure/kind.ts'
import { keep } from '../../../src/pure/keep.ts'
import type { Succession } from '../../../src/pure/managed-fields.ts'
import type { KubeObject } from '../../../src/pure/object.ts'
import type { Body } from './bodies.ts'

type Values = Readonly<Record<string, string>>

/** What an object should be, and how it goes over the wire: a plan has Secret values only by their fingerprints. */
export interface Wish {
  readonly desired: Desired
  readonly sent: (object: Desired) => Sent
}

export const wishOf = ({ kind }: Pick<Succession, 'kind'>, metadata: Desired['metadata'], body: Body): Wish => {
  const { data, ...rest } = body as Body & { readonly data?: Values }
  if (data === undefined) return { desired: { metadata, ...rest }, sent: (object) => object }
  const desired = { metadata, ...rest, data: kind === Secret ? referencesTo(data) : data }
  return { desired, sent: (object) => ({ ...object, data }) }
}

const referencesTo = (data: Values): Readonly<Record<string, SecretValueRef>> => {
  const from = { name: 'unread', uid: 'unread', resourceVersion: '1' }
  const refs = Object.entries(data).map(([field, value]) => {
    return [field, { from, field, fingerprint: fingerprint(Buffer.from(value, 'base64')) }] as const
  })
  return Object.fromEntries(refs)
}

/** Does what one look at the object asks for. */
const carryOut = (client: Client, effect: Effect, { sent }: Wish, manager: string): Promise<KubeObject> => {
  switch (effect.do) {
    case 'create':
      return client.create(effect.kind, sent(effect.object), manager)
    case 'apply':
      return client.apply(effect.kind, sent(effect.object), effect.on, manager)
    case 'mark':
      return client.mark(effect.kind, effect.key, effect, manager)
    case 'delete':
    case 'mint':
    case 'event':
      throw new Error(`keep asks for no ${effect.do}`)
    default:
      return effect satisfies never
  }
}

/**
 * Looks at the object and does what `keep` says until that is nothing: the object then, and what was done. Three
 * effects are enough for everything.
 */
export const keepUntilDone = async (client: Client, keeping: Succession, wish: Wish): Promise<Kept> => {
  const done: Effect['do'][] = []
  for (;;) {
    const live = await client.get(keeping.kind, wish.desired.metadata)
    const [effect] = keep(keeping, live, wish.desired)
    if (live !== undefined && effect === undefined) return { live, done }
    if (effect === undefined || done.length === 3) throw new Error(`no end: ${done.join(', ')}, then ${effect?.do}`)
    try {
      await carryOut(client, effect, wish, keeping.manager)
      done.push(effect.do)
    } catch (error) {
      // A controller that writes statuses may run here too; then it is looked at again.
      if (!isApiError(error, 'conflict')) throw error
    }
  }
}

interface Kept {
  readonly live: KubeObject
  readonly done: readonly Effect['do'][]
}
