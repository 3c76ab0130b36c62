import { describe, expect, test } from 'vitest'
import { currentGeneration } from './generations.ts'
import { generationAnnotation, retiresAnnotation, revokedAnnotation } from './names.ts'
import type { ObjectMeta } from './object.ts'

const canonical = 'ledger-biller-agent-canonical'

const named = (name: string, annotations: Readonly<Record<string, string>> = {}): ObjectMeta => ({
  name,
  namespace: 'system',
  uid: name,
  resourceVersion: '1',
  annotations,
})

const generation = (n: number, marks: Readonly<Record<string, string>> = {}): ObjectMeta =>
  named(n === 1 ? canonical : `${canonical}-${n}`, { [generationAnnotation]: String(n), ...marks })

const retires = { [retiresAnnotation]: '2030-01-01T00:00:00Z' }
const revoked = { [revokedAnnotation]: '2030-01-01T00:00:00Z' }

describe('the current key of an agent is', () => {
  test.each<[what: string, secrets: readonly ObjectMeta[], name: string | undefined]>([
    ['the only generation', [generation(1)], canonical],
    ['the lowest of several, whatever their order', [generation(3), generation(1), generation(2)], canonical],
    ['not one that retires', [generation(1, retires), generation(2)], `${canonical}-2`],
    ['not one that is revoked', [generation(1, revoked), generation(2), generation(3)], `${canonical}-2`],
    ['by number, not by letters', [generation(10), generation(9), generation(1, retires)], `${canonical}-9`],
    ['the canonical Secret of the former operator, which has no mark', [named(canonical)], canonical],
    ['not a copy, which has no mark either', [named('ledger-biller-agent-keys'), generation(2)], `${canonical}-2`],
    ['not one whose mark is no number', [named(canonical, { [generationAnnotation]: 'first' })], undefined],
    ['none when all retire or are revoked', [generation(1, revoked), generation(2, retires)], undefined],
    ['none when there are none', [], undefined],
  ])('%s', (_, secrets, name) => {
    const current = currentGeneration('biller', secrets)

    expect(current.is === 'current' ? current.secret.name : undefined).toBe(name)
    expect(current.is).toBe(name === undefined ? 'none' : 'current')
  })

  test('not to be told when two say that they are the same generation', () => {
    const twin = named('twin', { [generationAnnotation]: '1' })

    expect(currentGeneration('biller', [generation(1), twin, generation(2)])).toEqual({
      is: 'several',
      secrets: [generation(1), twin],
    })
  })
})
