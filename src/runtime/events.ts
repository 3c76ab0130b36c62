import { isApiError } from '../kube/api-error.ts'
import type { Client } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { minutes } from '../pure/duration.ts'
import type { EventEffect } from '../pure/effects.ts'
import { fingerprintOfJson } from '../pure/fingerprint.ts'
import { apiVersionOf, Event } from '../pure/kind.ts'
import { type KubeObject, keyOf, type Precondition, preconditionOf, printKey } from '../pure/object.ts'
import { type Log, printError } from './log.ts'

interface Told {
  readonly event: KubeObject
  readonly count: number
  readonly at: number
}

// As long as the server's own recorders take one event for the continuation of another.
const longestSeries = minutes(6)
const mostRemembered = 1024
// In bytes.
const longestNote = 1024
const longestPrefix = 200

/** Writes events: the first of its sort as an object of its own, what follows soon as a series of it. */
export class EventRecorder {
  readonly #clock: Clock
  readonly #log: Log
  readonly #instance: string
  readonly #told = new Map<string, Told>()

  constructor({ clock, log, instance }: { readonly clock: Clock; readonly log: Log; readonly instance: string }) {
    this.#clock = clock
    this.#log = log
    this.#instance = instance
  }

  /** An event is a courtesy: when it cannot be written, that is no reason to do anything else differently. */
  async tell(client: Client, controller: string, effect: EventEffect): Promise<void> {
    try {
      await this.#record(client, controller, effect)
    } catch (error) {
      if (isApiError(error, 'terminating')) return
      this.#log.warn({ controller, kind: effect.kind.kind, object: printKey(effect.key) }, printError(error))
    }
  }

  async #record(client: Client, controller: string, effect: EventEffect): Promise<void> {
    const sort = [controller, effect.uid, effect.type, effect.reason, effect.note].join(' ')
    const told = this.#told.get(sort)
    const at = this.#clock.now()
    const continued = told !== undefined && at - told.at < longestSeries ? told : undefined
    const event =
      (continued && (await this.#continue(client, controller, continued))) ??
      (await this.#begin(client, controller, effect))
    this.#remember(sort, { event, count: (continued?.count ?? 0) + 1, at })
  }

  #begin(client: Client, controller: string, effect: EventEffect): Promise<KubeObject> {
    const { kind, key, uid, type, reason, note } = effect
    const eventTime = this.#microTime()
    const sort = fingerprintOfJson([this.#instance, uid, type, reason, note, eventTime]).slice(0, 16)
    const name = `${key.name.slice(0, longestPrefix)}.${sort}`
    const regarding = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...key, uid }
    const event = {
      // Events about what is in no namespace lie where kubectl looks for them.
      metadata: { namespace: key.namespace ?? 'default', name },
      eventTime,
      reportingController: controller,
      reportingInstance: this.#instance,
      action: reason,
      type,
      reason,
      note: Buffer.from(note)
        .subarray(0, longestNote)
        .toString()
        .replace(/\ufffd$/, ''),
      regarding,
    }
    return client.create(Event, event, controller)
  }

  /** Undefined when the event is no longer there to be continued: they live for an hour. */
  async #continue(client: Client, controller: string, { event, count }: Told): Promise<KubeObject | undefined> {
    const series = { count: count + 1, lastObservedTime: this.#microTime() }
    const on: Precondition = preconditionOf(event)
    try {
      return await client.apply(Event, { metadata: keyOf(event), series }, on, controller)
    } catch (error) {
      if (isApiError(error, 'gone', 'conflict')) return undefined
      throw error
    }
  }

  #remember(sort: string, told: Told): void {
    this.#told.delete(sort)
    this.#told.set(sort, told)
    const [oldest] = this.#told.keys()
    if (this.#told.size > mostRemembered && oldest !== undefined) this.#told.delete(oldest)
  }

  #microTime(): string {
    return new Date(this.#clock.now()).toISOString().replace('Z', '000Z')
  }
}
