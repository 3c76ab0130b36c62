import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aKey, anAgent, anObserved, aSecret, keyIdOf, unread } from '../../../test/fixtures/agent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import type { Effect } from '../../pure/effects.ts'
import {
  agentNames,
  agentUidAnnotation,
  claimAnnotation,
  currentSinceAnnotation,
  deleteAnnotation,
  droppedAnnotation,
  generationAnnotation,
  keyIdAnnotation,
  lineageAnnotation,
  retiresAnnotation,
  revokeAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../pure/names.ts'
import { decide } from './decide.ts'
import { liveReadsOf } from './live-reads.ts'
import type { SeenSecret } from './observed.ts'
import { stageOf } from './stage.ts'

const id = (number: number): string => keyIdOf(aKey(number))
const holding = (number: number) => ({ known: digestAgentKey(aKey(number)) })
const at = '2025-12-31T00:00:00Z'
const memoryOf = (...numbers: readonly number[]) => ({
  [revokedKeysAnnotation]: JSON.stringify(numbers.map((n) => ({ keyId: id(n), revokedAt: at, droppedAt: at }))),
})
const revokedAndDropped = { [revokedAnnotation]: at, [droppedAnnotation]: at }

/** The agent's nth key: the first, or one that is in use after the one before it. */
const generation = (number: number, annotations: Readonly<Record<string, string>> = {}): SeenSecret => {
  const later = {
    [lineageAnnotation]: JSON.stringify([{ keyId: id(number - 1) }]),
    [currentSinceAnnotation]: '2025-01-01T00:00:00Z',
  }
  const marks = {
    [generationAnnotation]: String(number),
    [keyIdAnnotation]: id(number),
    [claimAnnotation]: 'system',
    [agentUidAnnotation]: 'uid-biller',
    ...(number > 1 && later),
    ...annotations,
  }
  const name = agentNames.generation('biller', number)
  return aSecret('system', { metadata: { name, uid: `uid-${number}`, annotations: marks }, key: holding(number) })
}

const agent = anAgent({ namespaces: [] })
const planFor = (...generations: readonly SeenSecret[]) => decide(anObserved({ agent, generations }))
const brief = (effect: Effect) =>
  effect.do === 'mark' ? { do: effect.do, name: effect.key.name, set: effect.set } : effect

describe('LCA-73 the Secret of a revoked key', () => {
  test('is not touched before the current one is given the memory of it', () => {
    expect(planFor(generation(1, revokedAndDropped), generation(2)).steps.map((step) => step.map(brief))).toEqual([
      [{ do: 'mark', name: agentNames.generation('biller', 2), set: { annotations: memoryOf(1) } }],
    ])
  })

  test('is deleted by its UID, after its own annotation confirms the deletion', () => {
    const { steps } = planFor(generation(1, revokedAndDropped), generation(2, memoryOf(1)))

    const name = agentNames.canonical('biller')
    expect(steps.map((step) => step.map(brief))).toEqual([
      [{ do: 'mark', name, set: { annotations: { [deleteAnnotation]: id(1) } } }],
      [expect.objectContaining({ do: 'delete', uid: 'uid-1', event: 'RevokedKeyDeleted' })],
    ])
  })

  test('is deleted on what was read live, of services too', () => {
    const observed = anObserved({
      agent,
      generations: [generation(1, revokedAndDropped), generation(2, memoryOf(1))],
    })

    expect(liveReadsOf(observed)).toContainEqual({ kind: LedgerService, choice: {} })
  })
})

describe('LCA-74 a key that is remembered as revoked', () => {
  const memory = generation(2, memoryOf(1))
  const retired = generation(2, { ...memoryOf(1, 3), [retiresAnnotation]: at })

  test('is revoked again when its Secret is restored, also while the one that remembers it cannot be read', () => {
    const [step = []] = decide(anObserved({ agent, generations: [generation(1), { ...memory, key: unread }] })).steps

    expect(step.map(brief)).toEqual([
      {
        do: 'mark',
        name: agentNames.canonical('biller'),
        set: { annotations: { [revokedAnnotation]: '2026-01-01T00:00:00Z' } },
      },
    ])
  })

  test('is not restored from a replica, also when the status names it', () => {
    const replicas = [aSecret('a', { key: holding(3) })]
    const named = anAgent({ namespaces: ['a'], status: { keyID: id(3) } })

    expect(stageOf(anObserved({ agent: named, generations: [retired], replicas }))).toMatchObject({ is: 'lost' })
    const lost = anAgent({ namespaces: ['a'], status: { keyID: id(4) } })
    const holders = [aSecret('a', { key: holding(4) })]
    const found = stageOf(anObserved({ agent: lost, generations: [retired], replicas: holders }))
    expect(found).toMatchObject({ is: 'restorable', source: { key: { keyId: id(4) } } })
  })

  test('is still remembered by a key that is restored', () => {
    const lost = anAgent({ namespaces: ['a'], status: { keyID: id(4) } })
    const replicas = [aSecret('a', { key: holding(4) })]

    const [step = []] = decide(anObserved({ agent: lost, generations: [retired], replicas })).steps

    expect(step).toContainEqual(
      expect.objectContaining({
        do: 'create',
        object: expect.objectContaining({
          metadata: expect.objectContaining({
            annotations: expect.objectContaining(memoryOf(1, 3)) as object,
          }) as object,
        }) as object,
      }),
    )
  })

  test('is collected where a replica of it does not belong', () => {
    const replicas = [aSecret('b', { key: holding(1) })]

    const { steps } = decide(anObserved({ agent, generations: [memory], replicas }))

    expect(steps.flat()).toEqual([expect.objectContaining({ do: 'delete', uid: 'uid-b', event: 'Collected' })])
  })

  test('explains a status that still names it', () => {
    const behind = anAgent({ namespaces: [], status: { keyID: id(7) } })

    expect(stageOf(anObserved({ agent: behind, generations: [generation(2, memoryOf(7))] })).is).toBe('established')
  })
})

test('LCA-73 no plan writes to a Secret twice before it is read again', () => {
  const maybe = (annotations: Readonly<Record<string, string>>) => fc.constantFrom({}, annotations)
  const annotationsOf = (number: number) =>
    fc
      .tuple(
        maybe({ [revokedAnnotation]: at }),
        maybe({ [droppedAnnotation]: at }),
        maybe({ [retiresAnnotation]: at }),
        maybe({ [deleteAnnotation]: id(number) }),
        fc.subarray([1, 2, 3, 4]).map((numbers) => (numbers.length === 0 ? {} : memoryOf(...numbers))),
      )
      .map((parts) => generation(number, Object.assign({}, ...parts) as Readonly<Record<string, string>>))
  const generations = fc.tuple(annotationsOf(1), annotationsOf(2), annotationsOf(3))
  const revoke = fc.subarray([1, 2, 3]).map((numbers) => numbers.map(id).join(','))
  fc.assert(
    fc.property(generations, revoke, (secrets, revoked) => {
      const annotations = { [claimAnnotation]: 'system', [revokeAnnotation]: revoked }
      const { steps } = decide(anObserved({ agent: anAgent({ metadata: { annotations } }), generations: secrets }))
      const marked = steps.flat().flatMap((effect) => (effect.do === 'mark' ? [effect.key.name] : []))
      expect(new Set(marked).size).toBe(marked.length)
    }),
    { numRuns: 1000 },
  )
})
