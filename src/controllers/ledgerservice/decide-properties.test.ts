import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anEntry, unread, unsound } from '../../../test/fixtures/agent.ts'
import { aGeneration, aMatchedAgent, listOf } from '../../../test/fixtures/key-sight.ts'
import { anObservedService } from '../../../test/fixtures/service.ts'
import { type Desired, type Effect, kindOf, targetOf } from '../../pure/effects.ts'
import { keysHashOf, readKeyList } from '../../pure/key-list.ts'
import { isSameStamp, stampOfPods } from '../../pure/key-rollout.ts'
import { ConfigMap, StatefulSet } from '../../pure/kind.ts'
import { deleteAnnotation, keyIdAnnotation, revokedAnnotation, serviceNames } from '../../pure/names.ts'
import type { KubeObject } from '../../pure/object.ts'
import { entriesOf, type MatchedAgent } from './agent-entries.ts'
import { decide } from './decide.ts'
import { type LiveWorkload, liveVariable, type Observed } from './observed.ts'
import { wantedWorkload } from './wanted.ts'

const ours = { managedFields: [anEntry({ manager: serviceNames.manager })] }
const foreign = { managedFields: [anEntry({ manager: 'somebody' })] }

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const secretsOf = (agent: string, ...numbers: readonly number[]) =>
  fc.tuple(
    ...numbers.map((number) =>
      maybe(
        fc
          .constantFrom(
            {},
            { key: unread },
            { key: unsound },
            { retiresAt: '2020-01-01T00:00:00Z' },
            { revokedAt: '2020-01-01T00:00:00Z', key: unread },
            { isEnding: true },
          )
          .map((wish) => aGeneration(number, { agent, ...wish })),
      ),
    ),
  )

const agentNamed = (name: string, ...numbers: readonly number[]) =>
  fc
    .record({
      secrets: secretsOf(name, ...numbers),
      god: fc.boolean(),
      isAnothers: fc.boolean(),
    })
    .map(({ secrets, ...rest }) =>
      aMatchedAgent({ name, secrets: secrets.filter((secret) => secret !== undefined), ...rest }),
    )

const agents = fc
  .tuple(maybe(agentNamed('biller', 1, 2)), maybe(agentNamed('clerk', 3)))
  .map((all) => all.filter((agent) => agent !== undefined))

/** Every key that there can be, as it would be listed. */
const everyEntry = [
  ...entriesOf(aMatchedAgent({ secrets: [aGeneration(1), aGeneration(2)] }), []).entries,
  ...entriesOf(aMatchedAgent({ name: 'clerk', secrets: [aGeneration(3, { agent: 'clerk' })] }), []).entries,
]
const owner = fc.constantFrom(ours, foreign)
const list = fc
  .record({ entries: fc.subarray(everyEntry), owner, isSpoilt: fc.boolean(), isGoing: fc.boolean() })
  .map(({ entries, isSpoilt, isGoing, owner: { managedFields } }) => {
    const sound = listOf(entries)
    const { data = {} } = isSpoilt ? { data: { 'auth-keys.json': '{' } } : sound
    const files = Object.fromEntries(Object.keys(data).map((file) => [`f:${file}`, {}]))
    const written = managedFields.map((entry) => ({ ...entry, fieldsV1: { 'f:data': files } }))
    const going = isGoing ? { deletionTimestamp: '2020-01-01T00:00:00Z' } : {}
    return { ...sound, metadata: { ...sound.metadata, managedFields: written, ...going }, data }
  })

const auths = [{}, { enabled: true }, { enabled: true, issuer: 'https://issuer.example' }]
const sizes = [1, 3, 5]
const spec = fc.record({
  auth: fc.constantFrom(...auths),
  replicas: fc.constantFrom(...sizes),
  restore: fc.boolean(),
})

/** As the operator would have made it, for a service that may have been another then. */
const made = auths.flatMap((auth) =>
  sizes.flatMap((replicas) =>
    [undefined, { hash: 'x', revision: 1 }].map((stamp) =>
      wantedWorkload(anObservedService({ spec: { auth, replicas } }), stamp),
    ),
  ),
)
const workload = fc
  .record({ pods: fc.constantFrom(...made), owner })
  .map(({ pods, owner: { managedFields } }): LiveWorkload => {
    const server = { uid: 'pods', resourceVersion: '1', generation: 1, managedFields, ownerReferences: [] }
    const live = { ...pods, metadata: { ...pods.metadata, ...server } }
    return { ...live, apiVersion: 'apps/v1', kind: 'StatefulSet' } as unknown as LiveWorkload
  })

const situation: fc.Arbitrary<Observed> = fc
  .record({
    spec,
    agents,
    list: maybe(list),
    workload: maybe(workload),
    doubt: maybe(fc.constant('x')),
    settlesAt: maybe(fc.constant(1)),
  })
  .map(({ list: keys, workload: pods, ...rest }) =>
    anObservedService({ ...rest, children: { list: keys, workload: pods } }),
  )

const effectsOf = (observed: Observed): readonly Effect[] => decide(observed).steps.flat()

/** The data or spec that would be written of this kind. */
const writtenOf = (observed: Observed, { kind }: { readonly kind: string }): readonly Desired[] =>
  effectsOf(observed).flatMap((effect) =>
    (effect.do === 'create' || effect.do === 'apply') && effect.kind.kind === kind ? [effect.object] : [],
  )

const listedIn = (data: Desired['data']) => {
  const read = readKeyList((data ?? {}) as Readonly<Record<string, string>>)
  if ('unknown' in read) throw new Error(read.unknown)
  return read.known
}

const isForeign = (object: KubeObject | undefined): boolean =>
  object?.metadata.managedFields?.some(({ manager }) => manager === 'somebody') === true

test('a service in a situation has one answer', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      expect(decide(observed)).toEqual(decide(structuredClone(observed)))
    }),
  )
})

test('LSV-20 no plan takes a key out of the list that cannot be read and that nobody asked to stop', () => {
  const isUnread = ({ secrets, isAnothers }: MatchedAgent) =>
    !isAnothers && secrets.length > 0 && secrets.every(({ key }) => 'unknown' in key)
  fc.assert(
    fc.property(situation, (uncertain) => {
      // While it waits it writes no list at all.
      const observed = { ...uncertain, doubt: undefined, settlesAt: undefined }
      const { list: live } = observed.children
      const read = readKeyList(live?.data ?? {})
      const hidden = observed.agents.filter(isUnread).map(({ object }) => object.metadata.name)
      for (const { data } of writtenOf(observed, ConfigMap)) {
        const then = listedIn(data).map(({ keyId }) => keyId)
        const now = 'known' in read ? read.known : []
        const kept = now.filter(({ agent, keyId }) => hidden.includes(agent ?? '') && !isOver(observed, keyId))
        expect(then).toEqual(expect.arrayContaining(kept.map(({ keyId }) => keyId)))
      }
    }),
    { numRuns: 1000 },
  )
})

/** Whether the marks of its Secret say that the key is revoked or over. */
const isOver = ({ agents: all }: Observed, keyId: string): boolean =>
  all.some(({ secrets }) =>
    secrets.some(({ metadata: { annotations = {} } }) => {
      const isMarked = revokedAnnotation in annotations || deleteAnnotation in annotations
      return isMarked && annotations[keyIdAnnotation] === keyId
    }),
  )

test('LSV-22 no plan writes a list that a ledger would not start with', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      for (const { data } of writtenOf(observed, ConfigMap)) expect(listedIn(data)).not.toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('LSV-22 LSV-23 no plan makes pods that a ledger would not start in', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      for (const object of writtenOf(observed, StatefulSet)) {
        const pods = object as unknown as LiveWorkload
        const isAuthOn = liveVariable(pods, 'AUTH_ENABLED') === 'true'
        const hasKeys = liveVariable(pods, 'AUTH_ED25519_KEYS') !== undefined
        const hasIssuer = (liveVariable(pods, 'AUTH_ISSUER') ?? '') !== ''
        expect(hasKeys ? isAuthOn : !isAuthOn || hasIssuer).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('LSV-25 no plan makes pods for a list that is not there by then', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      const { list: keys, workload: live } = observed.children
      const [written] = writtenOf(observed, ConfigMap)
      for (const object of writtenOf(observed, StatefulSet)) {
        const stamp = stampOfPods(object as unknown as LiveWorkload)
        const isAsBefore = live !== undefined && isSameStamp(stamp, stampOfPods(live))
        if (stamp === undefined || isAsBefore) continue
        const then = readKeyList((written?.data ?? keys?.data ?? {}) as Readonly<Record<string, string>>)
        expect(then).toHaveProperty('known')
        if ('known' in then) expect(stamp.hash).toBe(keysHashOf(then.known))
      }
    }),
    { numRuns: 300 },
  )
})

test('LSV-30 no plan makes a ledger smaller than it is', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      const live = observed.children.workload?.spec?.replicas ?? 0
      // What is not applied stays as it is.
      for (const { spec: wished } of writtenOf(observed, StatefulSet))
        expect((wished as { readonly replicas?: number }).replicas ?? live).toBeGreaterThanOrEqual(live)
    }),
    { numRuns: 300 },
  )
})

test('LSV-33 no plan touches what is not the service’s, and none deletes a list or pods', () => {
  fc.assert(
    fc.property(situation, (observed) => {
      const { list: keys, workload: pods } = observed.children
      const strangers = [keys, pods].filter(isForeign).map((object) => object?.metadata.name)
      for (const effect of effectsOf(observed)) {
        const isOfKeys = [ConfigMap.kind, StatefulSet.kind].includes(kindOf(effect).kind)
        if (isOfKeys) expect(strangers).not.toContain(targetOf(effect).name)
        if (isOfKeys) expect(effect.do).not.toBe('delete')
      }
    }),
    { numRuns: 300 },
  )
})
