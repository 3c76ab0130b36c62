import { expect, test } from 'vitest'
import { ConfigMap, Namespace } from '../../src/pure/kind.ts'
import { keyOf } from '../../src/pure/object.ts'
import type { Plan } from '../../src/pure/plan.ts'
import type { GateOptions } from '../kit/gate.ts'
import { planFor, type WidgetSeen } from '../kit/widget.ts'
import { aWidgetSuite } from '../kit/widget-suite.ts'

test('a write that a namespace refuses because it is being deleted is no failure of the object, and no warning', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.create('x')
  const refused = { events: 0, configmaps: 0 }
  const gate: GateOptions = {
    onCall: (_, { plural, verb }) =>
      verb === 'create' && plural in refused
        ? async (send) => {
            const reply = await send()
            if (reply.status === 403) refused[plural as keyof typeof refused] += 1
            return reply
          }
        : undefined,
  }
  let note = 'it has no child yet'
  const decide = (seen: WidgetSeen): Plan => {
    const plan = planFor(seen)
    const { metadata } = seen.object
    const about = { kind: suite.kind, key: keyOf(seen.object), uid: metadata.uid }
    const told = { do: 'event', ...about, type: 'Normal', reason: 'Bare', note } as const
    return seen.child === undefined ? { ...plan, steps: [[told], ...plan.steps] } : plan
  }
  await suite.start(suite.operator({ decide }, gate))
  await suite.until('it is served', async () => (await suite.reasonOf('x')) === 'Kept')

  note = 'it has no child any more'
  await suite.user.delete(Namespace, { name: suite.namespace })
  await suite.user.delete(ConfigMap, { namespace: suite.namespace, name: 'x' })
  // More often than a conflict would go unreported.
  await suite.until('it was refused', () => refused.configmaps > 6 && refused.events > 0)

  expect(await suite.reasonOf('x')).toBe('Kept')
  expect(suite.logs.filter((line) => line.includes('cannot'))).toEqual([])
})
