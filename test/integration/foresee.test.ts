import { expect, test } from 'vitest'
import { systemClock as clock } from '../../src/kube/clock.ts'
import { reconcileAnnotation } from '../../src/pure/names.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import { foresee } from '../../src/runtime/foresee.ts'
import { readingRightsOf } from '../../src/runtime/rights.ts'
import type { GateOptions } from '../kit/gate.ts'
import { isWrite } from '../kit/request.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { ConfigMap } from '../../src/pure/kind.ts'
import { widgetController } from '../kit/widget.ts'
import { aWidgetSuite } from '../kit/widget-suite.ts'

type WidgetSuite = Awaited<ReturnType<typeof aWidgetSuite>>

const foresight = ({ kind, scope }: WidgetSuite) => {
  const controllers = [widgetController(kind) as unknown as Controller]
  return { port: sharedConnection().port, clock, scope, controllers, isAskedFor: () => true }
}

const stepsFor = async (suite: WidgetSuite) =>
  (await foresee(foresight(suite))).foreseen.map(({ object, plan }) => ({
    name: object.metadata.name,
    stage: plan.stage,
    does: plan.steps.flat().map((effect) => effect.do),
  }))

test('PLAN-9 a kind that is not installed is said to be waited for', async () => {
  await using suite = await aWidgetSuite()

  const { foreseen, obstacles } = await foresee(foresight(suite))

  expect(foreseen).toEqual([])
  expect([...obstacles.values()]).toEqual([`its CustomResourceDefinition widgets.${suite.kind.group} is not installed`])
})

test('PLAN-1 a name that an object outside of every view has taken is not planned to be created', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.create('free')
  await suite.create('taken', { size: 'l' })
  await suite.user.create(ConfigMap, { metadata: { namespace: suite.namespace, name: 'taken' } })

  const planned = await stepsFor(suite)

  expect(planned).toHaveLength(2)
  expect(planned).toContainEqual({ name: 'free', stage: 'bare', does: ['create'] })
  expect(planned).toContainEqual({ name: 'taken', stage: 'kept', does: ['apply'] })
})

test('PLAN-1 an object that asks for a new look is planned as it is', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.create('asks')
  const key = { namespace: suite.namespace, name: 'asks' }
  await suite.user.patch(suite.kind, key, { metadata: { annotations: { [reconcileAnnotation]: 'now' } } })

  expect(await stepsFor(suite)).toEqual([{ name: 'asks', stage: 'bare', does: ['create'] }])
})

test('PLAN-2 an operator with no right but to read sends no write, even when it works', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.create('x')
  const writes: string[] = []
  const gate: GateOptions = {
    onCall(_, described) {
      if (isWrite(described)) writes.push(described.verb)
      return undefined
    },
  }
  const rights = readingRightsOf(foresight(suite).controllers)
  await suite.start(suite.operator({}, gate, { rights }))
  await suite.until('it has tried', () => suite.logs.some((line) => line.includes('cannot create ConfigMap')))

  expect(writes).toEqual([])
  expect(await suite.child('x')).toBeUndefined()
})
