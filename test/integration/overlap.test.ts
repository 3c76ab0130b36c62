import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { days } from '../../src/pure/duration.ts'
import { Secret } from '../../src/pure/kind.ts'
import { currentSinceAnnotation, deleteAnnotation } from '../../src/pure/names.ts'
import { generation, keyIdIn, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { aLoadedSuite } from '../kit/played-service.ts'
import { turn } from '../kit/standstill.ts'
import { aServedSuite } from '../kit/suite.ts'

test('LCA-56 a former key is accepted for as long as somebody holds a copy of it', async () => {
  await using played = await aLoadedSuite()
  const { suite } = played
  await suite.createNamespaces('a', 'b')
  await suite.target(['a', 'b'])
  await suite.settle()
  const first = (await generation(suite, 1))?.data
  await rotate(suite, 'spring')
  await suite.settle()
  await suite.stop()
  // A copy in a namespace that the operator may not look into.
  suite.watchedRoles = ['a']
  await suite.start()
  await turn(suite, days(30))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  expect((await suite.condition('RotationComplete'))?.message).toContain(suite.named('b'))
  expect((await generation(suite, 1))?.data).toEqual(first)
})

test('LCA-56 neither a key holder that somebody puts elsewhere nor a copy that is going keeps a former key accepted', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.user.patch(Secret, suite.replicaKey('b'), { metadata: { finalizers: ['example.com/hold'] } })
  await suite.target(['a'])
  await suite.settle()
  const former = await generation(suite, 1)
  const metadata = { ...suite.canonicalKey(), namespace: suite.named('a'), labels: former?.metadata.labels }
  await suite.user.create(Secret, { metadata, data: former?.data })
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  await turn(suite, days(8))
  expect(await statesOf(suite)).toEqual(['2 Current'])
  await suite.user.patch(Secret, suite.replicaKey('b'), { metadata: { finalizers: [] } })
})

test('LCA-56 a mark that somebody left on the key while it was in use does not shorten the overlap', async () => {
  await using suite = await aServedSuite(['a'])
  const first = (await suite.canonical())!
  const annotations = { [deleteAnnotation]: keyIdIn(first) }
  await suite.user.patch(Secret, first.metadata, { metadata: { annotations } })
  await suite.settle()
  await rotate(suite, 'spring')
  await suite.settle()
  await turn(suite, days(6))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})

test('LCA-56 an overlap beyond all dates is a long one', async () => {
  await using suite = await aServedSuite(['a'])
  const rotation = { overlap: '999999999d' }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { rotation } })
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current'])
  await rotate(suite, 'spring')
  await suite.settle()
  await turn(suite, days(300))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})

test('LCA-56 a former key that somebody puts back after its end goes again, and no overlap begins', async () => {
  await using suite = await aServedSuite(['a'])
  const first = (await generation(suite, 1))!
  await rotate(suite, 'spring')
  await suite.settle()
  await turn(suite, days(8))
  expect(await statesOf(suite)).toEqual(['2 Current'])
  // The operator's clock was turned, and the server's was not: by that one, too, the second key is in use before now.
  const second = (await generation(suite, 2))!.metadata
  const { creationTimestamp: made = '' } = second
  await suite.user.patch(Secret, second, { metadata: { annotations: { [currentSinceAnnotation]: made } } })
  // The server tells seconds apart, and nothing shorter.
  await eventually('a second has begun', () => Date.now() >= Date.parse(made) + 1000)
  const { name, namespace = '', labels, annotations } = first.metadata
  await suite.user.create(Secret, {
    metadata: { name, namespace, labels, annotations },
    data: first.data,
    immutable: true,
  })
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['2 Current'])
  expect(await generation(suite, 1)).toBeUndefined()
})
