import { expect, test } from 'vitest'
import { seconds } from '../../src/pure/duration.ts'
import type { Operator, OperatorOptions } from '../../src/runtime/operator.ts'
import { raised } from '../../src/runtime/raised.ts'
import { aWidgetSuite } from '../kit/widget-suite.ts'

/** Leads when the test says so. */
const onCommand = () => {
  let [begin, end] = [Promise.withResolvers<undefined>(), new AbortController()]
  const whenLeading: OperatorOptions['whenLeading'] = async (lead, stop) => {
    const hasEnded = () => stop.aborted
    while (!hasEnded()) {
      await Promise.race([begin.promise, raised(stop)])
      if (hasEnded()) return
      begin = Promise.withResolvers<undefined>()
      end = new AbortController()
      await lead(AbortSignal.any([end.signal, stop]))
    }
  }
  return { whenLeading, win: () => begin.resolve(undefined), lose: () => end.abort() }
}

const depthsOf = (operator: Operator) =>
  operator.attachments.map(({ queue }) => queue.depth('change') + queue.depth('relist'))

test('a standby queues nothing, and works on everything when it leads', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.create('before')
  const leadership = onCommand()
  const operator = suite.operator({}, undefined, leadership)
  await suite.start(operator)
  await suite.create('after')
  await suite.until('the standby has seen both', () => operator.attachments[0]?.keys.length === 2)
  operator.resync()
  suite.clock.turn(seconds(600))
  expect(depthsOf(operator)).toEqual([0])
  expect(operator.attachments.map(({ queue }) => queue.longestWait)).toEqual([0])
  expect(await suite.child('before')).toBeUndefined()

  leadership.win()
  await suite.until('both are kept', async () => {
    const children = await Promise.all([suite.child('before'), suite.child('after')])
    return children.every((child) => child !== undefined)
  })
})

test('an operator that no longer leads has an empty queue and no timers, and begins again when it leads again', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const leadership = onCommand()
  const refuse = { observe: () => Promise.reject(new Error('not now')) }
  let own: typeof refuse | undefined = refuse
  const operator = suite.operator(
    { observe: (key, reads) => own?.observe() ?? suite.observe(key, reads) },
    undefined,
    leadership,
  )
  await suite.start(operator)
  leadership.win()
  await suite.create('one')
  await suite.until('a pass has failed', () =>
    operator.attachments.some(({ queue }) => queue.failuresOf(`${suite.namespace}/one`) > 2),
  )

  leadership.lose()
  await suite.until('it leads no longer, and has ended what it began', () => !operator.isLeading && operator.isQuiet)
  own = undefined
  suite.clock.turn(seconds(600))
  expect(depthsOf(operator)).toEqual([0])
  expect(operator.attachments[0]?.queue.failuresOf(`${suite.namespace}/one`)).toBe(0)
  expect(await suite.child('one')).toBeUndefined()

  leadership.win()
  await suite.until('it is kept', () => suite.child('one'))
})
