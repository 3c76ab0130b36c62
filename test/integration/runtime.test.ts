import { expect, test } from 'vitest'
import { minutes } from '../../src/pure/duration.ts'
import { TerminalError } from '../../src/pure/terminal-error.ts'
import type { Described } from '../kit/request.ts'
import { lookAt, planFor } from '../kit/widget.ts'
import { aWidgetSuite } from '../kit/widget-suite.ts'

test('a controller whose CRD is missing waits and says so, works when it comes, and stops when it goes', async () => {
  await using suite = await aWidgetSuite()
  const operator = suite.operator()
  await suite.start(operator)
  expect(operator.attachments).toEqual([])
  expect(suite.logs.join()).toContain(
    `waits: its CustomResourceDefinition widgets.${suite.kind.group} is not installed`,
  )

  await suite.define()
  await suite.create('one')
  await suite.until('it is served', () => suite.child('one'))
  expect(suite.logs.join()).toContain('goes on: its kinds are served')

  await suite.undefine()
  await suite.until('it is detached', () => operator.attachments.length === 0)

  await suite.define()
  await suite.create('two')
  await suite.until('it is attached again', () => suite.child('two'))
})

test('a definition of another scope or version is not worked with', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const operator = suite.operator({ reconciles: suite.kind })
  const other = { ...suite.kind, version: 'v2' }
  const confused = suite.operator({
    reconciles: other,
    watches: [{ view: { kind: other, choice: {}, extent: 'whole', indexes: {} }, requests: () => [] }],
  })
  await suite.start(operator, confused)
  expect(operator.attachments).toHaveLength(1)
  expect(confused.attachments).toEqual([])
  expect(suite.logs.join()).toContain('is another')
})

test('what fails for one object concerns no other, is reported, and is tried again', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  let isBroken = true
  const operator = suite.operator({
    decide: (seen) => {
      if (isBroken && seen.object.metadata.name === 'bad') throw new Error('something unforeseen')
      return planFor(seen)
    },
  })
  await suite.create('bad')
  await suite.create('good')
  await suite.start(operator)
  await suite.until('the other one is served', () => suite.child('good'))
  expect(await suite.child('bad')).toBeUndefined()
  expect(suite.logs.join()).toContain('something unforeseen')
  isBroken = false
  await suite.until('it is served after all', () => suite.child('bad'))
})

test('a terminal failure is not tried again until the object changes', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  let passes = 0
  const operator = suite.operator({
    decide: (seen) => {
      passes += 1
      if (seen.object.spec?.size === 'impossible') throw new TerminalError('there is no such size')
      return planFor(seen)
    },
  })
  await suite.create('one', { size: 'impossible' })
  await suite.start(operator)
  await suite.until('it was tried', () => passes > 0)
  suite.clock.turn(minutes(60))
  await suite.until('it is quiet', () => operator.isQuiet)
  expect(passes).toBe(1)
  await suite.user.patch(suite.kind, { namespace: suite.namespace, name: 'one' }, { spec: { size: 'l' } })
  await suite.until('it is served', async () => (await suite.child('one'))?.data?.['size'] === 'l')
})

test('a pass that takes too long is called off and tried again', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  let hangs = 1
  const operator = suite.operator(
    {
      observe: async (key, reads) => {
        const [namespace = '', name = ''] = key.split('/')
        await reads.refresh(suite.kind, { namespace, name })
        return lookAt(suite.kind, key, reads)
      },
    },
    {
      onCall: (_, { verb }: Described) => {
        if (verb !== 'get' || hangs === 0) return undefined
        hangs -= 1
        return () => new Promise(() => undefined)
      },
    },
  )
  await suite.create('one')
  await suite.start(operator)
  await suite.until('it hangs', () => hangs === 0)
  suite.clock.turn(minutes(2))
  await suite.until('it is served', () => suite.child('one'))
  expect(suite.logs.join()).toContain('the pass took longer than 2 minutes and was called off')
})

test('a refused write is reported on the object, with what and why', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const refused = { status: 403, retryAfter: undefined, body: '{"reason":"Forbidden","message":"secret words"}' }
  let isRefusing = true
  const operator = suite.operator(
    {},
    {
      onCall: (_, { verb, plural }) =>
        isRefusing && verb === 'create' && plural === 'configmaps' ? () => Promise.resolve(refused) : undefined,
    },
  )
  await suite.create('one')
  await suite.start(operator)
  await suite.until('it is reported', async () => (await suite.reasonOf('one')) === 'WriteFailed')
  expect(JSON.stringify(await suite.get('one'))).not.toContain('secret words')
  isRefusing = false
  await suite.until('it is ready', async () => (await suite.reasonOf('one')) === 'Kept')
})

test('what was not declared is not sent, and said once', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const sent: string[] = []
  const operator = suite.operator(
    { rights: [{ kind: suite.kind, verbs: ['get', 'list', 'watch'], where: 'watched' }] },
    {
      onCall: (_, { verb, plural }) => {
        sent.push(`${verb} ${plural}`)
        return undefined
      },
    },
  )
  await suite.create('one')
  void operator.start()
  await suite.until('it is said', () => suite.logs.join().includes('declare it in the controller'))
  expect(sent.filter((call) => call.includes('configmaps'))).toEqual([])
})

test('two operators that report on the same object come to rest with one truth', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const [one, other] = [suite.operator(), suite.operator()]
  await suite.start(one, other)
  await suite.create('one')
  await suite.until('it is ready', async () => (await suite.reasonOf('one')) === 'Kept')
  for (let size = 0; size < 5; size += 1) {
    await suite.user.patch(suite.kind, { namespace: suite.namespace, name: 'one' }, { spec: { size: `${size}` } })
  }
  const status = await suite.until('both are quiet', async () => {
    if (!one.isQuiet || !other.isQuiet) return undefined
    const widget = await suite.get('one')
    const generation = widget?.metadata.generation
    const [ready] = widget?.status?.conditions ?? []
    return ready !== undefined && 'observedGeneration' in ready && ready.observedGeneration === generation && widget
  })
  expect(status.status?.conditions).toHaveLength(1)
  expect((await suite.child('one'))?.data?.['size']).toBe('4')
})

test('a status that was wiped is written again', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const operator = suite.operator()
  await suite.start(operator)
  await suite.create('one')
  await suite.until('it is ready', async () => (await suite.reasonOf('one')) === 'Kept')
  await suite.user.patchStatus(suite.kind, { namespace: suite.namespace, name: 'one' }, { status: null })
  await suite.until('it is ready again', async () => (await suite.reasonOf('one')) === 'Kept')
})

test('an operator that cannot go on says why', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const operator = suite.operator({}, undefined, { whenLeading: () => Promise.reject(new Error('a bug')) })
  await suite.start(operator)
  expect((await operator.collapsed).message).toBe('the operator cannot go on: a bug')
})

/** A gate behind which ConfigMaps cannot be watched for now. */
const blindGate = () => {
  const state = { isBlind: true }
  const onOpen = (_: object, { plural }: Described) =>
    state.isBlind && plural === 'configmaps' ? () => new Promise<never>(() => undefined) : undefined
  return { state, options: { onCall: () => undefined, onOpen } }
}

test('an operator that never gets to see everything can be stopped all the same', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const operator = suite.operator({}, blindGate().options)
  void operator.start()
  await suite.until('it tries', () => operator.attachments.length === 1)
  await operator.stop()
})

test('a definition that goes before everything was in view does not hold up what comes after', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const { state, options } = blindGate()
  const operator = suite.operator({}, options)
  void operator.start()
  await suite.until('it tries', () => operator.attachments.length === 1)
  await suite.undefine()
  await suite.until('it is detached', () => operator.attachments.length === 0)
  state.isBlind = false
  await suite.define()
  await suite.create('one')
  await suite.until('it is served', () => suite.child('one'))
})
