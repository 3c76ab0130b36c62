import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aKey, anAgent, anEntry, anObserved, aSecret, keyIdOf, unread, unsound } from '../../../test/fixtures/agent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { targetOf } from '../../pure/effects.ts'
import { agentNames, keyIdAnnotation } from '../../pure/names.ts'
import { decide } from './decide.ts'
import type { Observed } from './observed.ts'
import { stageOf } from './stage.ts'

const keyID = keyIdOf(aKey())
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const marks = { [keyIdAnnotation]: keyID }

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const read = fc.constantFrom({ known: digestAgentKey(aKey()) }, { known: digestAgentKey(aKey(9)) }, unsound, unread)
const metadata = fc.constantFrom({}, { labels: {} }, { managedFields: [anEntry()] }, deleted, { annotations: marks })
const secretIn = (namespace: string) => fc.record({ metadata, key: read }).map((more) => aSecret(namespace, more))
const situation: fc.Arbitrary<Observed> = fc
  .record({
    agent: fc
      .record({
        metadata: fc.constantFrom({}, deleted, { finalizers: [] }, { annotations: {} }),
        namespaces: fc.subarray(['a', 'b', 'c', '', 'a']),
        status: fc.constantFrom({}, { keyID }),
      })
      .map(anAgent),
    canonical: maybe(secretIn('system')),
    replicas: fc.tuple(maybe(secretIn('a')), maybe(secretIn('b')), maybe(secretIn('d'))),
    namespaces: fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom('active' as const, 'terminating' as const),
    ),
    doubt: maybe(fc.constant('x')),
  })
  .map(({ replicas, canonical: holder, doubt, ...rest }) =>
    anObserved({
      ...rest,
      replicas: replicas.filter((replica) => replica !== undefined),
      ...(holder === undefined ? {} : { canonical: holder }),
      ...(doubt === undefined ? {} : { doubt }),
    }),
  )

test('a situation has one answer', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      expect(decide(observed)).toEqual(decide(structuredClone(observed)))
      expect(decide(observed).stage).toBe(stageOf(observed).is)
    }),
  )
})

test('LCA-4, LCA-15, LCA-16 no plan mints beside a trace of a key, or writes a replica without a canonical Secret', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      const effects = decide(observed).steps.flat()
      const hasTrace = observed.generations.length > 0 || observed.object.status?.keyID !== undefined
      if (hasTrace) expect(effects.filter((effect) => effect.do === 'mint')).toEqual([])
      const writes = effects.filter((effect) => effect.do === 'create' || effect.do === 'apply')
      const names = writes.map((effect) => targetOf(effect).name)
      if (observed.generations.length === 0) expect(names).not.toContain(agentNames.replica('biller'))
    }),
    { numRuns: 500 },
  )
})
