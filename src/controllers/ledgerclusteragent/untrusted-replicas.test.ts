import { describe, expect, test } from 'vitest'
import { aKey, anAgent, anEntry, anObserved, aSecret, keyIdOf } from '../../../test/fixtures/agent.ts'
import { aGeneration } from '../../../test/fixtures/key-sight.ts'
import { digestAgentKey, digestKeySecret } from '../../pure/agent-key.ts'
import { adoptAnnotation, agentUidAnnotation, claimAnnotation, revokeAnnotation } from '../../pure/names.ts'
import { decide } from './decide.ts'
import type { Observed } from './observed.ts'
import { stageOf } from './stage.ts'

const keyID = keyIdOf(aKey())
const planted = { known: digestAgentKey(aKey(9)) }
const plantedId = keyIdOf(aKey(9))
const annotated = (annotations: Readonly<Record<string, string>>) => ({
  annotations: { [claimAnnotation]: 'system', ...annotations },
})
const ours = { managedFields: [anEntry()] }
/** As a tenant would make it: labelled, valid, and even with our managedFields entry. */
const plantedReplica = aSecret('c', { key: planted, metadata: ours })
const retiring = aGeneration(1, { retiresAt: '2030-01-01T00:00:00Z' })

describe('LCA-59 without a status, a key in a replica that no generation explains is not the agent’s', () => {
  test('when its only key was revoked, it gets a new one', () => {
    const agent = anAgent({ metadata: annotated({ [revokeAnnotation]: keyID }) })
    const stage = stageOf(anObserved({ agent, generations: [aGeneration(1)], replicas: [plantedReplica] }))

    expect(stage).toMatchObject({ is: 'renewing' })
  })

  test('when the key in use is gone and the one before retires, it is lost', () => {
    const stage = stageOf(anObserved({ generations: [retiring], replicas: [plantedReplica] }))

    expect(stage).toEqual({ is: 'lost', keyId: undefined, listedBy: [] })
  })

  test('unless a person names it by its id', () => {
    const agent = anAgent({ metadata: annotated({ [adoptAnnotation]: `c/ledger-biller-agent-keys@${plantedId}` }) })
    const stage = stageOf(anObserved({ agent, generations: [retiring], replicas: [plantedReplica] }))

    expect(stage).toMatchObject({ is: 'restorable', number: 2, source: { key: { keyId: plantedId } } })
  })

  test('a name that was given without an id may be old, and names nothing', () => {
    const agent = anAgent({ metadata: annotated({ [adoptAnnotation]: 'c/ledger-biller-agent-keys' }) })
    const stage = stageOf(anObserved({ agent, generations: [retiring], replicas: [plantedReplica] }))

    expect(stage).toMatchObject({ is: 'lost' })
  })
})

describe('a new agent does not get the keys of a former one of its name', () => {
  const left = aGeneration(1)
  const madeForAnother = { ...left.metadata.annotations, [agentUidAnnotation]: 'another' }
  const leftKey = { ...left, metadata: { ...left.metadata, annotations: madeForAnother } }
  const fresh = { annotations: {}, finalizers: [] }

  test('LCA-71 it says which Secrets are left, and is not claimed', () => {
    const plan = decide(anObserved({ agent: anAgent({ metadata: fresh }), leftKeys: [leftKey] }))

    expect(plan.steps.flat()).toEqual([])
    expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'LeftoverKeys' })
    expect(plan.status?.ready.message).toContain('system/ledger-biller-agent-canonical')
    expect(plan.status?.ready.message).toContain('holdfast.dev/operator=system')
  })

  test('LCA-71 an agent that carries our claim, as one from a backup does, takes them over and marks them', () => {
    const [step = []] = decide(anObserved({ generations: [leftKey] })).steps

    expect(step[0]).toMatchObject({ do: 'mark', set: { annotations: { [agentUidAnnotation]: 'uid-biller' } } })
  })
})

describe('a replica whose data nobody can change is deleted and created again', () => {
  const fixed = { known: digestKeySecret({ data: aKey(9), immutable: true }) }
  const planFor = (replica: Parameters<typeof aSecret>[1]) => {
    const agent = anAgent({ namespaces: ['a'] })
    return decide(anObserved({ agent, generations: [aGeneration(1)], replicas: [aSecret('a', replica)] }))
  }

  test.each([
    ['it is immutable', fixed],
    ['it has another type', { known: digestKeySecret({ data: aKey(9), type: 'example.com/other' }) }],
  ])('LCA-72 when %s', (_, key) => {
    const effects = planFor({ key, metadata: ours }).steps.flat()

    expect(effects).toContainEqual(
      expect.objectContaining({ do: 'delete', uid: 'uid-a', resourceVersion: '11', isIndependent: true }),
    )
  })

  test('LCA-72 but not while a finalizer keeps it: the agent says so', () => {
    const plan = planFor({ key: fixed, metadata: { ...ours, deletionTimestamp: '2026-01-01T00:00:00Z' } })

    expect(plan.steps.flat().filter((effect) => effect.do === 'delete')).toEqual([])
    expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'ReplicaTerminating' })
  })
})

describe('an agent that is deleted', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  const agent = anAgent({
    metadata: { deletionTimestamp },
    status: { keyID, generations: [{ generation: 1, keyID, state: 'Current' }] },
  })

  test('LCA-21 does not wait for a Secret of ours with another key that a finalizer keeps', () => {
    const replica = aSecret('c', { key: planted, metadata: { ...ours, deletionTimestamp } })
    expect(stageOf(anObserved({ agent, replicas: [replica] }))).toEqual({ is: 'withdrawn' })
  })

  test('LCA-49 LCA-63 waits for pods that outlive their service, and says what to do', () => {
    const orphan = (name: string): Observed['consumers'][number] => ({
      service: { namespace: 'a', name },
      isServed: false,
      told: new Set(),
      isOrphaned: true,
      list: { stamp: { hash: 'h', revision: 0 }, keyIds: new Set([keyID]) },
      workload: undefined,
    })
    const plan = decide(anObserved({ agent, consumers: [orphan('logs'), orphan('books')] }))

    expect(plan.stage).toBe('still-held')
    expect(plan.status?.ready.message).toContain('a/logs, a/books; delete their StatefulSets')
    expect(plan.status?.fields['orphanedServices']).toEqual([
      { namespace: 'a', name: 'books' },
      { namespace: 'a', name: 'logs' },
    ])
  })
})
