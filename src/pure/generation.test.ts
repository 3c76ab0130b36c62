import { describe, expect, test } from 'vitest'
import { key, now } from '../../test/kit/key-situations.ts'
import { minutes, seconds } from './duration.ts'
import {
  currentGeneration,
  type Generation,
  generationOf,
  isBroughtBack,
  isInUse,
  lineageOf,
  requestMark,
} from './generation.ts'
import {
  currentSinceAnnotation,
  deleteAnnotation,
  droppedAnnotation,
  generationAnnotation,
  keyIdAnnotation,
  lineageAnnotation,
  requestedByAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
  retiredUidAnnotation,
  succeedsAnnotation,
} from './names.ts'
import type { ObjectMeta } from './object.ts'

const canonical = 'ledger-biller-agent-canonical'

const named = (name: string, annotations: Readonly<Record<string, string>> = {}): ObjectMeta => ({
  name,
  namespace: 'system',
  uid: name,
  resourceVersion: '1',
  annotations,
})

const since = { [currentSinceAnnotation]: '2029-01-01T00:00:00Z' }
const after = (n: number) => ({ [lineageAnnotation]: JSON.stringify([{ keyId: `k${n}` }]) })

const generation = (n: number, marks: Readonly<Record<string, string>> = {}): ObjectMeta =>
  named(n === 1 ? canonical : `${canonical}-${n}`, {
    [generationAnnotation]: String(n),
    ...(n === 1 ? {} : after(n - 1)),
    ...marks,
  })

const retires = { [retiresAnnotation]: '2030-01-01T00:00:00Z' }
const revoked = { [revokedAnnotation]: '2030-01-01T00:00:00Z' }

const remembering = (keyId: string) => ({ [revokedKeysAnnotation]: JSON.stringify([{ keyId }]) })

describe('the current key of an agent is', () => {
  test.each<[what: string, secrets: readonly ObjectMeta[], name: string | undefined]>([
    ['the only generation', [generation(1)], canonical],
    ['not one that nobody has said is in use', [generation(3), generation(1), generation(2)], canonical],
    [
      'not one that another remembers as revoked',
      [generation(1, remembering('k2')), generation(2, { ...since, [keyIdAnnotation]: 'k2' })],
      canonical,
    ],
    ['the newest in use', [generation(1), generation(3, since), generation(2, since)], `${canonical}-3`],
    ['the one in use, also while the former one stands', [generation(1), generation(2, since)], `${canonical}-2`],
    ['not one that retires', [generation(1, retires), generation(2, since)], `${canonical}-2`],
    ['in use also when since when cannot be read', [generation(2, { [currentSinceAnnotation]: '' })], `${canonical}-2`],
    ['not one that somebody made too late', [generation(2), generation(3, since)], `${canonical}-3`],
    [
      'none where it was revoked, until the one before it stands again',
      [generation(1, retires), generation(2, retires), generation(3, { ...since, ...revoked }), generation(4)],
      undefined,
    ],
    ['else the lowest that stands', [generation(1, revoked), generation(3), generation(2)], `${canonical}-2`],
    ['by number, not by letters', [generation(10), generation(9), generation(1, revoked)], `${canonical}-9`],
    ['the canonical Secret of the former operator, which has no mark', [named(canonical)], canonical],
    ['not a copy, which has no mark either', [named('ledger-biller-agent-keys'), generation(2)], `${canonical}-2`],
    ['not one whose mark is no number', [named(canonical, { [generationAnnotation]: 'first' })], undefined],
    ['none when all are revoked', [generation(1, revoked), generation(2, { ...retires, ...revoked })], undefined],
    ['none when there are none', [], undefined],
  ])('%s', (_, secrets, name) => {
    const current = currentGeneration('biller', secrets)

    expect(current.is === 'current' ? current.secret.name : undefined).toBe(name)
    expect(current.is).toBe(name === undefined ? 'none' : 'current')
  })

  test('not to be told when two say that they are the same generation', () => {
    const twin = named(`${canonical}-9`, { [generationAnnotation]: '1' })

    expect(currentGeneration('biller', [generation(1), twin, generation(2)])).toEqual({
      is: 'several',
      secrets: [generation(1), twin],
    })
  })

  test('not a Secret that somebody keeps under another name', () => {
    const backup = named(`${canonical}-backup`, { [generationAnnotation]: '2', ...after(1), ...since })

    expect(currentGeneration('biller', [generation(1), backup])).toEqual({ is: 'current', secret: generation(1) })
  })

  test('to be told when the other that says so is on its way out', () => {
    const twin = named(`${canonical}-9`, { [generationAnnotation]: '1', ...retires })

    expect(currentGeneration('biller', [twin, generation(1)])).toEqual({ is: 'current', secret: generation(1) })
  })
})

const marked = (marks: Readonly<Record<string, string>>) => generationOf('biller', generation(2, marks))

describe('the marks of a key generation say', () => {
  const at = '2030-01-01T00:00:00Z'

  test('what it is', () => {
    const ancestor = { keyId: 'aa', request: requestMark('may') }
    const marks = {
      [keyIdAnnotation]: 'bb',
      [requestedByAnnotation]: 'june',
      [lineageAnnotation]: JSON.stringify([ancestor]),
      [currentSinceAnnotation]: '2029-01-01T00:00:00Z',
      [retiresAnnotation]: at,
      [succeedsAnnotation]: 'one,two',
      [retiredUidAnnotation]: 'own',
      [droppedAnnotation]: at,
      [revokedKeysAnnotation]: JSON.stringify([{ keyId: 'zz', revokedAt: at, droppedAt: at }]),
    }

    expect(generationOf('biller', { ...generation(2, marks), creationTimestamp: at })).toEqual({
      number: 2,
      keyId: 'bb',
      uid: 'ledger-biller-agent-canonical-2',
      succeeds: ['one', 'two'],
      retiredUid: 'own',
      madeAt: Date.parse(at),
      request: requestMark('june'),
      lineage: [ancestor],
      currentSince: Date.parse('2029-01-01T00:00:00Z'),
      retiresAt: Date.parse(at),
      revokedAt: undefined,
      droppedAt: Date.parse(at),
      revokedKeys: [{ keyId: 'zz', revokedAt: Date.parse(at), droppedAt: Date.parse(at) }],
      isEnding: false,
    })
  })

  test('nothing of a copy', () => {
    expect(generationOf('biller', named('ledger-biller-agent-keys'))).toBeUndefined()
    expect(generationOf('biller', generation(0))).toBeUndefined()
  })

  test('LCA-62 that it is revoked or retires, also when the time cannot be read', () => {
    expect(marked({ [revokedAnnotation]: 'yesterday' })?.revokedAt).toBe(Infinity)
    expect(marked({ [retiresAnnotation]: '' })?.retiresAt).toBe(Infinity)
  })

  test.each<[what: string, marks: Readonly<Record<string, string>>, isEnding: boolean]>([
    ['with its own key id', { ...retires, [keyIdAnnotation]: 'bb', [deleteAnnotation]: 'bb' }, true],
    ['not with another', { ...retires, [keyIdAnnotation]: 'bb', [deleteAnnotation]: 'aa' }, false],
    ['not without one', { ...retires, [deleteAnnotation]: '' }, false],
    ['not while it is in use', { [keyIdAnnotation]: 'bb', [deleteAnnotation]: 'bb' }, false],
    ['not when nothing is said', { [keyIdAnnotation]: 'bb' }, false],
  ])('LCA-31 that its deletion is meant: %s', (_, marks, isEnding) => {
    expect(marked(marks)?.isEnding).toBe(isEnding)
  })

  test('the key that is known better than by a mark', () => {
    expect(generationOf('biller', generation(2, { [keyIdAnnotation]: 'bb' }), 'cc')?.keyId).toBe('cc')
  })

  test.each(['', 'nonsense', '{}', 'null', '[{"keyId":1},null]'])('no lineage when it is %j', (mark) => {
    expect(marked({ [lineageAnnotation]: mark })?.lineage).toEqual([])
  })
})

describe('a key is in use when', () => {
  test.each<[what: string, secret: ObjectMeta, isUsed: boolean]>([
    ['it is the first', generation(1), true],
    ['it came after another and that is written down', generation(2, since), true],
    ['not when it came after another and nothing is written down', generation(2), false],
    ['not when it retires', generation(1, { ...since, ...retires }), false],
    ['not when it is revoked', generation(2, { ...since, ...revoked }), false],
  ])('LCA-55 %s', (_, secret, isUsed) => {
    expect(isInUse(generationOf('biller', secret)!)).toBe(isUsed)
  })
})

describe('LCA-54 the next generation descends from', () => {
  const first = { ...marked({ [keyIdAnnotation]: 'aa', [requestedByAnnotation]: 'may' })!, lineage: [], number: 1 }
  const ancestor = { keyId: 'aa', request: requestMark('may') }
  const idsOf = (generations: readonly Generation[]) => lineageOf(generations).map(({ keyId }) => keyId)

  test('all that there are and all that they descend from, each once, the newest last', () => {
    const second = { ...first, number: 2, keyId: 'bb', request: undefined, lineage: [{ keyId: 'zz' }, ancestor] }

    expect(lineageOf([second, first])).toEqual([{ keyId: 'zz' }, ancestor, { keyId: 'bb', request: undefined }])
  })

  test('the one that stands last, or else the one that retires, whatever their numbers', () => {
    const second = { ...first, number: 2, keyId: 'bb' }
    const third = { ...first, number: 3, keyId: 'cc', revokedAt: 1 }

    expect(idsOf([first, { ...second, retiresAt: 1 }, third])).toEqual(['cc', 'bb', 'aa'])
    expect(idsOf([{ ...first, isEnding: true }, { ...second, retiresAt: 1 }, third])).toEqual(['aa', 'cc', 'bb'])
  })

  test('a hundred at most, the newest', () => {
    const lineage = Array.from({ length: 150 }, (_, n) => ({ keyId: `k${n}` }))

    const ancestors = lineageOf([{ ...first, number: 150, lineage }])

    expect(ancestors).toHaveLength(100)
    expect(ancestors.slice(-2)).toEqual([{ keyId: 'k149' }, ancestor])
  })
})

describe('LCA-56 which Secret was put back is told by its UID, whatever the clocks of server and operator say', () => {
  const skew = minutes(2)
  const former = key(1, { uid: 'first', madeAt: now + skew })
  const current = key(2, { currentSince: now, succeeds: ['first'], madeAt: now })

  test('a former key that was there when its successor was used has its overlap', () => {
    expect(isBroughtBack(former, [former, current])).toBe(false)
  })

  test('one with another UID was put back after that', () => {
    const back = { ...former, uid: 'again', madeAt: now - skew }
    expect(isBroughtBack(back, [back, current])).toBe(true)
  })

  test('one that retires keeps its overlap, however short it is', () => {
    const retiring = { ...former, retiresAt: now + seconds(5), retiredUid: 'first' }
    expect(isBroughtBack(retiring, [retiring, current])).toBe(false)
  })

  test('one that is put back after its end is over', () => {
    const back = { ...former, uid: 'again', retiresAt: now, retiredUid: 'first' }
    expect(isBroughtBack(back, [back, current])).toBe(true)
  })
})
