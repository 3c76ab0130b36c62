import { expect, test } from 'vitest'
import { ConfigMap } from '../../src/pure/kind.ts'
import { lookAt } from '../kit/widget.ts'
import { aWidgetSuite } from '../kit/widget-suite.ts'

test('an object that a mapping fails on asks for no reconcile, and ends nothing', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  const operator = suite.operator({
    watches: [
      {
        view: { kind: suite.kind, choice: {}, extent: 'whole', indexes: {} },
        requests: ({ metadata }) => {
          if (metadata.name === 'bad') throw new Error('a bug in a mapping')
          return [`${metadata.namespace}/${metadata.name}`]
        },
      },
      { view: { kind: ConfigMap, choice: {}, extent: 'metadata', indexes: {} }, requests: () => [] },
    ],
  })
  await suite.create('bad')
  await operator.start()
  await suite.create('good')
  await suite.until('the other one is kept', () => suite.child('good'))
  expect(suite.logs).toContain('cannot map the object to requests')
})

test('a reconcile that fails before it can decide is reported in the status like any failure', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  let isBroken = false
  const operator = suite.operator({
    observe: (key, reads) => {
      if (isBroken) throw new TypeError('scopes.some is not a function')
      return Promise.resolve(lookAt(suite.kind, key, reads))
    },
    fieldsWhenFailed: { phase: 'Error' },
  })
  await suite.start(operator)
  await suite.create('one')
  await suite.until('it is kept', async () => (await suite.reasonOf('one')) === 'Kept')
  isBroken = true
  await suite.user.patch(suite.kind, { namespace: suite.namespace, name: 'one' }, { spec: { size: 'l' } })
  await suite.until('it says so', async () => (await suite.reasonOf('one')) === 'PassFailed')
  expect((await suite.get('one'))?.status).toMatchObject({ phase: 'Error' })
  isBroken = false
  await suite.until('it is kept again', async () => (await suite.reasonOf('one')) === 'Kept')
})

test('an object that is too large to be read is reported, and not taken for empty', async () => {
  await using suite = await aWidgetSuite()
  await suite.define()
  await suite.start(suite.operator())
  await suite.create('one', { size: 'l' })
  await suite.until('it is kept', async () => (await suite.child('one'))?.data?.['size'] === 'l')
  await suite.until('it says so', async () => (await suite.reasonOf('one')) === 'Kept')
  const key = { namespace: suite.namespace, name: 'one' }
  await suite.user.patch(suite.kind, key, { spec: { filler: 'x'.repeat(900_000) } })
  await suite.until('it says so', async () => (await suite.reasonOf('one')) === 'PassFailed')
  expect((await suite.child('one'))?.data?.['size']).toBe('l')
})
