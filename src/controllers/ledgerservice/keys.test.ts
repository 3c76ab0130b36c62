import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anEntry, aKey, keyIdOf, unread } from '../../../test/fixtures/agent.ts'
import { aGeneration, aMatchedAgent, listOf } from '../../../test/fixtures/key-sight.ts'
import { anObservedService } from '../../../test/fixtures/service.ts'
import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { keptBy } from '../../kube/kept-object.ts'
import { type KeyEntry, type KeyList, keysHashOf, mostKeys, readKeyList, renderKeyList } from '../../pure/key-list.ts'
import { type KeyStamp, stampOfPods } from '../../pure/key-rollout.ts'
import { serviceNames } from '../../pure/names.ts'
import { ConfigMap } from '../../pure/kind.ts'
import { entriesOf } from './agent-entries.ts'
import { decide } from './decide.ts'
import { keysOf } from './keys.ts'
import { liveReadsOf } from './live-reads.ts'
import type { LiveWorkload, Observed, SeenPod } from './observed.ts'
import { wantedWorkload } from './wanted.ts'

const managedFields = [anEntry({ manager: serviceNames.manager })]
const entries = entriesOf(aMatchedAgent(), []).entries
const loaded: KeyStamp = { hash: keysHashOf(entries), revision: 0 }
const on = { auth: { enabled: true } }

const ownList = (listed: readonly KeyEntry[], more: Partial<KeyList> = {}): KeyList => {
  const list = listOf(listed)
  return { ...list, ...more, metadata: { ...list.metadata, managedFields, ...more.metadata } }
}

const unreadableList = (metadata: Partial<KeyList['metadata']> = {}): KeyList => {
  const { data: _, ...list } = ownList(entries)
  return { ...list, metadata: { ...list.metadata, ...metadata }, unreadable: 'it is larger than 768 KiB' }
}

/** The pods of a service with this spec, made with these keys. */
const podsMadeWith = (stamp: KeyStamp | undefined, spec: object = on): LiveWorkload => {
  const pods = wantedWorkload(anObservedService({ spec }), stamp)
  const server = { uid: 'pods', resourceVersion: '1', generation: 1, managedFields, ownerReferences: [] }
  const metadata = { ...pods.metadata, ...server }
  return { ...pods, metadata, apiVersion: 'apps/v1', kind: 'StatefulSet' } as unknown as LiveWorkload
}

/** A service whose pods have loaded the key of its agent. */
const running = (more: Parameters<typeof anObservedService>[0] = {}): Observed => {
  const { children = {}, ...rest } = more
  const standing = { list: ownList(entries), workload: podsMadeWith(loaded) }
  return anObservedService({ spec: on, agents: [aMatchedAgent()], ...rest, children: { ...standing, ...children } })
}

const revoking = { agents: [aMatchedAgent({ revoke: keyIdOf(aKey(1)) })] }

describe('LSV-21 a list that cannot be written stays, pods keep what they have, and it is told why', () => {
  const going = { ...listOf(entries).metadata, managedFields, deletionTimestamp: '2020-01-01T00:00:00Z' }
  test.each<[why: string, observed: Observed, told: string]>([
    [
      'it is immutable, and a finalizer keeps it',
      running({ ...revoking, children: { list: ownList(entries, { metadata: going, immutable: true }) } }),
      'finalizer',
    ],
    [
      'it is too large to be read, and a finalizer keeps it',
      running({ ...revoking, children: { list: unreadableList(going) } }),
      'finalizer',
    ],
    ['it is somebody else’s', running({ ...revoking, children: { list: listOf(entries) } }), 'not this service’s'],
  ])('%s', (_, observed, told) => {
    const { isWaiting, left, stamp } = keysOf(observed)
    expect({ isWaiting, stamp }).toEqual({ isWaiting: true, stamp: loaded })
    expect(left).toContain(told)
  })

  test.each<[what: string, list: KeyList]>([
    ['is immutable', ownList(entries, { immutable: true })],
    ['is too large to be read', unreadableList()],
  ])('but one that %s is deleted as it was seen, to be created again, before pods are stamped', (_, list) => {
    const effects = decide(running({ ...revoking, children: { list } })).steps.flat()

    expect(effects).toContainEqual(expect.objectContaining({ do: 'delete', uid: 'list', resourceVersion: '1' }))
    expect(effects.filter((effect) => 'kind' in effect && effect.kind.kind === 'StatefulSet')).toEqual([])
  })

  test('and one that is being deleted is kept in step: as long as it is there, pods load it', () => {
    const list = ownList(entries, { metadata: going })
    const [effects = []] = decide(running({ ...revoking, children: { list } })).steps

    expect(effects).toContainEqual(expect.objectContaining({ kind: ConfigMap }))
  })

  test('but an immutable one that says what it should holds up nothing', () => {
    const observed = running({ children: { list: ownList(entries, { immutable: true }) } })
    expect(keysOf(observed)).toMatchObject({ isWaiting: false, stamp: loaded })
  })
})

test('LSV-21 more keys than can be read again are not listed, and it is said', () => {
  const many = Array.from({ length: mostKeys + 1 }, (_, n) => aMatchedAgent({ name: `agent-${n}` }))
  const { isWaiting, left, stamp } = keysOf(running({ agents: many }))

  expect({ isWaiting, stamp }).toEqual({ isWaiting: true, stamp: loaded })
  expect(left).toContain(`room for ${mostKeys}`)
})

test('LSV-21 a list of as many keys as there may be can be read again', () => {
  const entry = (n: number): KeyEntry => {
    const publicKey = createHash('sha256').update(String(n)).digest('hex')
    const keyId = createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex').slice(0, 16)
    const agent = `an-agent-with-a-name-of-usual-length-${n}`
    const scopes = ['ledger:read', 'ledger:write']
    return { agent, file: `agent-${agent}-pubkey.hex`, keyId, publicKey, scopes, god: false }
  }
  const all = Array.from({ length: mostKeys }, (_, n) => entry(n))
  const data = renderKeyList(all)
  const files = Object.fromEntries(Object.keys(data).map((file) => [`f:${file}`, {}]))
  const fields = { 'f:data': { '.': {}, ...files } }
  const list = ownList(all, { metadata: { ...listOf(all).metadata, managedFields: [anEntry({ fieldsV1: fields })] } })
  const kept = keptBy({ kind: ConfigMap, choice: {}, extent: 'whole', indexes: {} }, list)

  expect(kept.unreadable).toBeUndefined()
  expect(kept.metadata.managedFields).toEqual(list.metadata.managedFields)
  expect(readKeyList(kept.data ?? {})).toHaveProperty('known.length', mostKeys)
})

describe('LSV-20 LSV-21 what somebody else took out of the list locks nobody out whose key cannot be read', () => {
  const clerk = aMatchedAgent({ name: 'clerk', secrets: [aGeneration(3, { agent: 'clerk' })] })
  const all = [...entries, ...entriesOf(clerk, []).entries]
  const hidden = aMatchedAgent({ name: 'clerk', secrets: [aGeneration(3, { agent: 'clerk', key: unread })] })
  const stamp = { hash: keysHashOf(all), revision: 0 }
  test.each([
    ['one of its keys', renderKeyList(entries)],
    ['all of its keys', { 'auth-keys.json': '{"keys":[]}' }],
  ])('%s', (_, data) => {
    const children = { list: ownList(all, { data }), workload: podsMadeWith(stamp) }
    const keys = keysOf(running({ agents: [aMatchedAgent(), hidden], children }))
    expect(keys).toMatchObject({ isWaiting: true, stamp })
    expect(keys.left).toContain('clerk')
  })
})

test('LSV-18 what somebody else put into the list is taken out, also while a key cannot be read', () => {
  const clerk = aMatchedAgent({ name: 'clerk', secrets: [aGeneration(3, { agent: 'clerk' })] })
  const strangers = entriesOf(clerk, []).entries
  const hidden = [aMatchedAgent({ secrets: [aGeneration(1, { key: unread })] })]
  const { isWaiting, wish } = keysOf(
    running({ agents: hidden, children: { list: ownList([...entries, ...strangers]) } }),
  )
  expect(isWaiting).toBe(false)
  expect(wish.list?.entries).toEqual(entries)
})

test('LSV-19 a revoked key leaves the list without a live read', () => {
  expect(liveReadsOf(running(revoking))).toEqual([])
  const marked = [aGeneration(1, { revokedAt: '2020-01-01T00:00:00Z', key: unread }), aGeneration(2)]
  expect(liveReadsOf(running({ agents: [aMatchedAgent({ secrets: marked })] }))).toEqual([])
  expect(liveReadsOf(running({ agents: [] }))).toContainEqual({ kind: LedgerClusterAgent, key: { name: 'biller' } })
})

describe('LSV-28 a list that pods of the former operator mount and do not read', () => {
  const off = { auth: { enabled: false } }
  const mounted = podsMadeWith(loaded, off)

  test('is no reason to restart a ledger that asks for no tokens', () => {
    expect(keysOf(running({ spec: off, children: { workload: mounted } })).stamp).toEqual(loaded)
  })

  test('is taken from pods when it changes', () => {
    const observed = running({ ...revoking, spec: off, children: { workload: mounted } })
    expect(keysOf(observed).stamp).toBeUndefined()
  })

  test('is not what a ledger has that asked for tokens before', () => {
    expect(keysOf(running({ spec: off })).stamp).toBeUndefined()
  })
})

test('LSV-21 pods that are wired get their list back, also when the service is to ask for no tokens', () => {
  const { wish } = keysOf(running({ spec: { auth: { enabled: false } }, children: { list: undefined } }))
  expect(wish.list?.entries).toEqual(entries)
})

test('LSV-25 pods that mount the list have keys, also when the mark that tells which is gone', () => {
  const pods = podsMadeWith(loaded)
  const template = { ...pods.spec?.template, metadata: { annotations: {} } }
  expect(stampOfPods({ ...pods, spec: { ...pods.spec, template } })).toEqual({ hash: '', revision: 0 })
})

test('LSV-30 pods that were left behind are members still: those that take them over are as many', () => {
  const aPod = (name: string): SeenPod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'team-a', name, uid: name, resourceVersion: '1' },
  })
  const pods = ['ledger-books-0', 'ledger-books-4', 'ledger-books-x', 'other-9'].map(aPod)
  const left = anObservedService({ spec: { ...on, replicas: 3 }, pods })
  expect(wantedWorkload(left, undefined).spec.replicas).toBe(5)
  expect(
    wantedWorkload({ ...left, children: { ...left.children, workload: podsMadeWith(loaded) } }, undefined).spec
      .replicas,
  ).toBe(3)
})
