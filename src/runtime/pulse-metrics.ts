import { Counter, Gauge, type Registry } from 'prom-client'
import { seconds } from '../pure/duration.ts'
import type { KubeObject } from '../pure/object.ts'
import { outlooksOf, type Pulse, type Watch } from './pulse.ts'
import { lanes } from './queue.ts'

/** A label's values come from the program and its configuration, never from an object. */
type Sample<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number]

// Printing every object would hold up the process; so many tell enough of the others.
const mostMeasured = 50

/** Shows the state of an operator, as it is whenever somebody looks. */
export const showPulse = (registry: Registry, pulse: Pulse, controllers: readonly string[]): void => {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    samples: () => readonly Sample<Label>[],
  ): void =>
    registry.registerMetric(
      new Gauge<Label>({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          this.reset()
          for (const [labels, value] of samples()) this.set(labels, value)
        },
      }),
    )
  gauge('holdfast_leading', 'Whether this process works: 1, or stands by: 0.', [], () => [
    [{}, Number(pulse.isLeading)],
  ])
  gauge('holdfast_controller_attached', 'Whether the cluster serves what a controller needs.', ['controller'], () => {
    const attached = pulse.attachments.map(({ controller }) => controller.name)
    return controllers.map((controller) => [{ controller }, Number(attached.includes(controller))])
  })
  gauge('holdfast_watch_silence_seconds', 'Since a watch last said anything.', ['kind', 'namespace'], () =>
    outlooksOf(pulse).map(({ kind, namespace, silence }) => [{ kind, namespace }, silence / seconds(1)]),
  )
  gauge('holdfast_cache_objects', 'Objects kept in view.', ['kind'], () =>
    inViewOf(pulse).map(([kind, objects]) => [{ kind }, objects.length]),
  )
  gauge('holdfast_cache_bytes', 'Their size as JSON, estimated from some of them.', ['kind'], () =>
    inViewOf(pulse).map(([kind, objects]) => [{ kind }, sizeOf(objects)]),
  )
  gauge('holdfast_queue_depth', 'Objects that wait for a pass.', ['controller', 'lane'], () =>
    pulse.attachments.flatMap(({ controller, queue }) =>
      lanes.map((lane) => [{ controller: controller.name, lane }, queue.depth(lane)] as const),
    ),
  )
  gauge('holdfast_queue_oldest_seconds', 'How long the first of them has waited.', ['controller'], () =>
    pulse.attachments.map(({ controller, queue }) => [{ controller: controller.name }, queue.longestWait / seconds(1)]),
  )
  registry.registerMetric(syncsOf(pulse))
}

/** Counts what is new since it last looked: a watch that ends takes its own count with it. */
const syncsOf = (pulse: Pulse): Counter => {
  const counted = new WeakMap<Watch, ReadonlyMap<string, number>>()
  return new Counter({
    name: 'holdfast_syncs_total',
    help: 'How often everything was taken in anew, and why.',
    labelNames: ['kind', 'reason'],
    registers: [],
    collect() {
      for (const watch of pulse.informers) {
        const { kind } = watch.view.kind
        const before = counted.get(watch)
        for (const [reason, times] of watch.syncs) this.inc({ kind, reason }, times - (before?.get(reason) ?? 0))
        counted.set(watch, new Map(watch.syncs))
      }
    },
  })
}

const inViewOf = ({ informers }: Pulse): readonly (readonly [kind: string, objects: readonly KubeObject[]])[] =>
  [...Map.groupBy(informers, ({ view }) => view.kind.kind)].map(([kind, watches]) => [
    kind,
    watches.flatMap(({ store }) => store.list()),
  ])

const sizeOf = (objects: readonly KubeObject[]): number => {
  const measured = Math.min(objects.length, mostMeasured)
  if (measured === 0) return 0
  // Evenly spread: the first are the oldest, and not like the others.
  const sample = Array.from({ length: measured }, (_, n) => objects[Math.floor((n * objects.length) / measured)])
  const bytes = sample.reduce((sum, object) => sum + Buffer.byteLength(JSON.stringify(object)), 0)
  return Math.round((bytes / measured) * objects.length)
}
