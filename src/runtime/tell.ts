import type { Asker } from '../kube/cluster.ts'
import { type Effect, kindOf, targetOf } from '../pure/effects.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { listed } from '../pure/wording.ts'
import type { Controller } from './controller.ts'
import type { EventRecorder } from './events.ts'

interface Telling {
  /** What it was done for. */
  readonly object: KubeObject
  readonly asker: Asker
  readonly controller: Controller
  readonly events: EventRecorder
}

const words = { create: 'created', apply: 'put back', delete: 'deleted', mint: 'made' } as const

/** One event for all that was done for the same reason. */
export const tellOf = async (
  done: readonly Effect[],
  { object, asker, controller, events }: Telling,
): Promise<void> => {
  const told = done.flatMap((effect) => ('event' in effect ? [{ reason: effect.event, effect }] : []))
  const about = { kind: controller.reconciles, key: keyOf(object), uid: object.metadata.uid, type: 'Normal' } as const
  for (const [reason, effects] of Map.groupBy(told, (one) => one.reason)) {
    const note = noteOf(effects.map(({ effect }) => effect))
    await events.tell(asker.client, controller.name, { do: 'event', ...about, reason, note })
  }
}

const noteOf = (effects: readonly (Effect & { do: keyof typeof words })[]): string =>
  [...Map.groupBy(effects, (effect) => `${words[effect.do]} ${kindOf(effect).kind}`)]
    .map(([what, same]) => `${what} ${listed(same.map((effect) => printKey(targetOf(effect))))}`)
    .join('; ')
