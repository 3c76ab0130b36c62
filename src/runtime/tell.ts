import { type Effect, kindOf, targetOf } from '../pure/effects.ts'
import { printKey } from '../pure/object.ts'
import { listed } from '../pure/wording.ts'

/** What an event says. */
export interface Notice {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly note: string
}

type Told = Effect & { readonly event: string; readonly do: keyof typeof words }

const words = { create: 'created', apply: 'put back', delete: 'deleted', mint: 'made' } as const

/** Effects that people hear of. */
export const isTold = (effect: Effect): effect is Told => 'event' in effect

/**
 * The events of a reconcile that has come to its end. A change of Ready is one event, which also says what was done on the
 * way; without one, each reason for which something was done is.
 */
export const noticesOf = (done: readonly Effect[], transition: Notice | undefined): readonly Notice[] => {
  const byReason = [...Map.groupBy(done.filter(isTold), ({ event }) => event)]
  if (transition === undefined) {
    return byReason.map(([reason, effects]) => ({ type: 'Normal', reason, note: noteOf(effects) }))
  }
  return [{ ...transition, note: [transition.note, ...byReason.map(([, effects]) => noteOf(effects))].join('; ') }]
}

const noteOf = (effects: readonly Told[]): string =>
  [...Map.groupBy(effects, (effect) => `${words[effect.do]} ${kindOf(effect).kind}`)]
    .map(([what, same]) => `${what} ${listed(same.map((effect) => printKey(targetOf(effect))))}`)
    .join('; ')
