import { describe, expect, test } from 'vitest'
import { aKey, anAgent, anEstablished, anObserved, aSecret, aTarget, keyIdOf } from '../../../test/fixtures/agent.ts'
import { agentRow } from '../../cli/ledger/agent-row.ts'
import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { agentNames, generationAnnotation, revokedAnnotation } from '../../pure/names.ts'
import { decide } from './decide.ts'
import { statusOf } from './status.ts'

const namespaces = Array.from({ length: 15_000 }, (_, n) => `team-${String(n).padStart(5, '0')}`)
const services = namespaces.map((namespace) => ({ namespace, name: 'books', mappedScopes: [], isAuthOn: true }))
const canonical = aSecret('system', { metadata: { name: 'ledger-biller-agent-canonical' } })
const refs = (places: readonly string[]) => places.map((namespace) => ({ namespace, name: 'ledger-biller-agent-keys' }))

describe('LCA-70 an agent with 15,000 services and targets', () => {
  const targets = namespaces.map((namespace, n) => aTarget(namespace, n === 14_999 ? 'foreign' : 'served'))
  const replicas = namespaces.map((namespace) => aSecret(namespace))
  const observed = anObserved({ canonical, matched: { services }, replicas })
  const fields = statusOf(observed, anEstablished(canonical), targets).fields as NonNullable<
    LedgerClusterAgent['status']
  >

  test('lists the first 100 services and counts them all', () => {
    expect(fields.matchedServices).toEqual(namespaces.slice(0, 100).map((namespace) => ({ namespace, name: 'books' })))
    expect(fields.matchedServiceCount).toBe(15_000)
    expect(agentRow({ ...anAgent(), status: fields }, 0)).toContain('15000')
  })

  test('lists targets that are not ready first', () => {
    expect(fields.targets).toHaveLength(100)
    expect(fields.targets).toContainEqual({ namespace: 'team-14999', ready: false, reason: 'ForeignSecret' })
    expect(fields.targetCount).toBe(15_000)
  })

  test('lists the first 100 copies and counts them all', () => {
    expect(fields.distributedSecretRefs).toEqual(refs(namespaces.slice(0, 100)))
    expect(fields.distributedSecretCount).toBe(15_000)
  })

  test('has a status far below the limit of an object', () => {
    expect(JSON.stringify(fields).length).toBeLessThan(100_000)
  })
})

test('LCA-70 copies where nobody looks are remembered, however many', () => {
  const hidden = namespaces.slice(0, 150)
  const status = { keyID: keyIdOf(aKey()), distributedSecretRefs: refs(hidden) }
  const observed = anObserved({
    agent: anAgent({ status }),
    canonical,
    replicas: namespaces.slice(200, 400).map((namespace) => aSecret(namespace)),
    namespaces: Object.fromEntries(hidden.map((namespace) => [namespace, 'out-of-scope'])),
  })
  const { fields } = statusOf(observed, anEstablished(canonical))
  expect(fields['distributedSecretRefs']).toEqual(refs(hidden))
  expect(fields['distributedSecretCount']).toBe(350)
})

test('LCA-70 an agent whose selector means nothing keeps its lists and counts', () => {
  const status = { matchedServices: [{ namespace: 'a', name: 'books' }], matchedServiceCount: 15_000 }
  const observed = anObserved({ agent: anAgent({ status }), matched: { fault: 'x' } })
  expect(statusOf(observed, anEstablished(canonical)).fields).toMatchObject(status)
})

describe('LCA-70 a status that lists 100 of 120 targets', () => {
  const places = namespaces.slice(0, 120)
  const listed = refs(places.slice(0, 100))
  const status = {
    keyID: keyIdOf(aKey()),
    distributedSecretRefs: listed,
    distributedSecretCount: 120,
    matchedServices: places.slice(0, 100).map((namespace) => ({ namespace, name: 'books' })),
    matchedServiceCount: 120,
  }
  const observedWith = (replicas: readonly string[], matched: Parameters<typeof anObserved>[0]) =>
    anObserved({
      agent: anAgent({ status, namespaces: [] }),
      canonical,
      namespaces: Object.fromEntries(places.map((namespace) => [namespace, 'active'])),
      replicas: replicas.map((namespace) => aSecret(namespace)),
      ...matched,
    })
  const effectsOf = (observed: ReturnType<typeof anObserved>) => decide(observed).steps.flat()
  const all = { matched: { services: services.slice(0, 120) } }

  test('gets a replica in every namespace', () => {
    const created = effectsOf(observedWith([], all)).flatMap((effect) =>
      effect.do === 'create' ? [effect.object.metadata.namespace] : [],
    )
    expect(created).toEqual(places)
  })

  test.each([
    ['whose selector matches them', all],
    ['whose selector means nothing', { matched: { fault: 'x' } }],
  ])('loses none of an agent %s', (_, matched) => {
    expect(effectsOf(observedWith(places, matched)).filter((effect) => effect.do === 'delete')).toEqual([])
  })
})

test('LCA-70 of many keys the newest 100 are listed, and first those that are not revoked', () => {
  const made = Array.from({ length: 150 }, (_, n) => {
    const marks = n === 0 ? {} : { [revokedAnnotation]: '2026-01-01T00:00:00Z' }
    const annotations = { [generationAnnotation]: String(n + 1), ...marks }
    return aSecret('system', {
      metadata: { name: agentNames.generation('biller', n + 1), annotations },
      key: { known: digestAgentKey(aKey(n + 1)) },
    })
  })
  const stage = anEstablished(...made)
  const { fields } = statusOf(anObserved({ generations: made }), stage)
  const rows = fields['generations'] as readonly { readonly generation: number }[]
  expect(rows.map(({ generation }) => generation)).toEqual([1, ...Array.from({ length: 99 }, (_, n) => n + 52)])
  expect(fields['generationCount']).toBe(150)
})
