import { expect, test } from 'vitest'
import { aKey, anAgent, anEntry, anObserved, aSecret, keyIdOf, unread, unsound } from '../../../test/fixtures/agent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { adoptAnnotation, agentNames, claimAnnotation, takeoverAnnotation } from '../../pure/names.ts'
import type { Observed, SeenSecret } from './observed.ts'
import { stageOf } from './stage.ts'

const keyID = keyIdOf(aKey())
const otherKey = { known: digestAgentKey(aKey(9)) }
const bare = { labels: {} }
const written = { labels: {}, managedFields: [anEntry()] }
const early = { name: agentNames.earlyReplica('biller') }
const annotated = (annotations: Readonly<Record<string, string>>) => ({
  annotations: { [claimAnnotation]: 'system', ...annotations },
})
const takenOver = { metadata: annotated({ [takeoverAnnotation]: 'ledger-operator' }) }
const adopting = (named: string) => ({ metadata: annotated({ [adoptAnnotation]: named }) })
const sound = (secret: SeenSecret) => ({ secret, key: 'known' in secret.key ? secret.key.known : undefined })
const refsIn = (...namespaces: readonly string[]) =>
  namespaces.map((namespace) => ({ namespace, name: agentNames.replica('biller') }))
const listings = [{ service: { namespace: 'a', name: 'books' }, keyId: keyID, isOutOfReach: false }]
const relicIn = (namespace: string, more: Parameters<typeof aSecret>[1] = {}) =>
  aSecret(namespace, { ...more, metadata: { ...early, ...more.metadata } })
const theirs = { metadata: { annotations: { [claimAnnotation]: 'other' } } }
const elsewhere = aSecret('former', { metadata: { name: agentNames.canonical('biller') } })

test.for<{ name: string; observed: Observed; stage: object }>([
  {
    name: 'LCA-1 an agent without a target needs no key',
    observed: anObserved({ agent: anAgent({ namespaces: ['', ''] }) }),
    stage: { is: 'unneeded' },
  },
  { name: 'LCA-4 an agent without a trace of a key has none', observed: anObserved(), stage: { is: 'unminted' } },
  {
    name: 'LCA-4 a foreign Secret in the replica’s place is no trace of a key',
    observed: anObserved({ replicas: [aSecret('a', { metadata: bare })] }),
    stage: { is: 'unminted' },
  },
  {
    name: 'LCA-4 a key id in the status is a trace of a key',
    observed: anObserved({ agent: anAgent({ status: { keyID } }) }),
    stage: { is: 'lost', keyId: keyID, listedBy: [] },
  },
  {
    name: 'LCA-4 a key id in the status is a trace of a key also without a target',
    observed: anObserved({ agent: anAgent({ namespaces: [], status: { keyID } }) }),
    stage: { is: 'lost', keyId: keyID, listedBy: [] },
  },
  {
    name: 'LCA-4 LCA-15 a service that accepts a key of the agent is a trace of a key',
    observed: anObserved({
      listings,
      matched: { services: [{ namespace: 'a', name: 'books', mappedScopes: [], isAuthOn: true }] },
    }),
    stage: { is: 'lost', keyId: keyID, listedBy: [{ namespace: 'a', name: 'books' }] },
  },
  {
    name: 'LCA-15 a service that matched before counts too, while the selector means nothing',
    observed: anObserved({
      agent: anAgent({ status: { matchedServices: [{ namespace: 'a', name: 'books' }] } }),
      listings,
      matched: { fault: 'x' },
    }),
    stage: { is: 'lost', keyId: keyID, listedBy: [{ namespace: 'a', name: 'books' }] },
  },
  {
    name: 'LCA-46 what a service says that the agent does not match holds up nothing',
    observed: anObserved({ listings }),
    stage: { is: 'unminted' },
  },
  {
    name: 'LCA-4 a copy that we wrote and somebody has spoilt is a trace of a key',
    observed: anObserved({ replicas: [aSecret('a', { metadata: written, key: unsound })] }),
    stage: { is: 'lost', keyId: undefined, listedBy: [] },
  },
  {
    name: 'LCA-14 the copy with the key named in the status is the source',
    observed: anObserved({
      agent: anAgent({ status: { keyID } }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b', { metadata: written, key: unsound }), aSecret('c')],
    }),
    stage: { is: 'restorable', source: sound(aSecret('c')), number: 1, held: [] },
  },
  {
    name: 'LCA-14 a copy under its early name, and the canonical Secret of a former namespace, are sources too',
    observed: anObserved({
      agent: anAgent({ status: { keyID } }),
      relics: [elsewhere, relicIn('a', { key: otherKey })],
    }),
    stage: { is: 'restorable', source: sound(elsewhere), number: 1, held: [] },
  },
  {
    name: 'LCA-14 the canonical Secret that another installation kept is a source too, by its key id',
    observed: anObserved({
      agent: anAgent({ namespaces: [], status: { keyID } }),
      relics: [relicIn('z', theirs)],
    }),
    stage: { is: 'restorable', source: sound(relicIn('z', theirs)), number: 1, held: [] },
  },
  {
    name: 'LCA-4 a key id that the former operator has blanked is none',
    observed: anObserved({ agent: anAgent({ status: { keyID: '' } }) }),
    stage: { is: 'unminted' },
  },
  {
    name: 'LCA-4 LCA-50 copies that nobody may look at are a trace of a key',
    observed: anObserved({
      agent: anAgent({ status: { distributedSecretRefs: refsIn('far') } }),
      namespaces: { a: 'active', far: 'out-of-scope' },
    }),
    stage: { is: 'lost', keyId: undefined, listedBy: [] },
  },
  {
    name: 'LCA-4 LCA-45 a spoilt copy of ours is a trace of a key also where copies are adopted unasked',
    observed: anObserved({ replicas: [aSecret('a', { metadata: written, key: unsound })], adoptsLabelled: true }),
    stage: { is: 'lost', keyId: undefined, listedBy: [] },
  },
  {
    name: 'LCA-15 no copy with the key named in the status means that it is lost',
    observed: anObserved({
      agent: anAgent({ status: { keyID } }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b', { metadata: written, key: unsound })],
    }),
    stage: { is: 'lost', keyId: keyID, listedBy: [] },
  },
  {
    name: 'LCA-15 what somebody named for adoption is no answer to a lost key',
    observed: anObserved({
      agent: anAgent({ ...adopting('a/ledger-biller-agent-keys'), status: { keyID } }),
      replicas: [aSecret('a', { key: otherKey })],
    }),
    stage: { is: 'lost', keyId: keyID, listedBy: [] },
  },
  {
    name: 'LCA-17 a lost key is not given up while a copy cannot be read',
    observed: anObserved({
      agent: anAgent({ status: { keyID } }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b', { metadata: written, key: unread })],
    }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-17 a lost key is not given up while another installation’s canonical Secret cannot be read',
    observed: anObserved({ agent: anAgent({ status: { keyID } }), relics: [relicIn('z', { ...theirs, key: unread })] }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-4 LCA-17 no key is minted while a Secret at a copy’s name cannot be read',
    observed: anObserved({ replicas: [aSecret('a', { key: unread })] }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-17 nothing is adopted while a copy cannot be read',
    observed: anObserved({ agent: anAgent(takenOver), replicas: [aSecret('a'), aSecret('b', { key: unread })] }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-40 an agent of the former operator gets the key of its copies',
    observed: anObserved({ agent: anAgent(takenOver), replicas: [aSecret('b'), aSecret('a')] }),
    stage: { is: 'adoptable', source: sound(aSecret('a')) },
  },
  {
    name: 'LCA-40 an agent of the former operator gets the key of its copies when no target is left',
    observed: anObserved({ agent: anAgent({ ...takenOver, namespaces: [] }), replicas: [aSecret('z')] }),
    stage: { is: 'adoptable', source: sound(aSecret('z')) },
  },
  {
    name: 'LCA-40 an early copy counts too',
    observed: anObserved({ agent: anAgent({ ...takenOver, namespaces: [] }), relics: [relicIn('a')] }),
    stage: { is: 'adoptable', source: sound(relicIn('a')) },
  },
  {
    name: 'LCA-40 a copy without the label, or with a key that does not hold together, is not adopted',
    observed: anObserved({
      agent: anAgent(takenOver),
      replicas: [aSecret('a', { metadata: bare }), aSecret('b', { key: unsound })],
    }),
    stage: { is: 'unminted' },
  },
  {
    name: 'LCA-41 a copy that the status lists goes before others',
    observed: anObserved({
      agent: anAgent({ ...takenOver, status: { distributedSecretRefs: refsIn('b') } }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b')],
    }),
    stage: { is: 'adoptable', source: sound(aSecret('b')) },
  },
  {
    name: 'LCA-41 equal keys are no conflict',
    observed: anObserved({ agent: anAgent(takenOver), replicas: [aSecret('a')], relics: [relicIn('a')] }),
    stage: { is: 'adoptable', source: sound(relicIn('a')) },
  },
  {
    name: 'LCA-42 different keys that the status does not decide are ambiguous',
    observed: anObserved({
      agent: anAgent(takenOver),
      replicas: [aSecret('a', { key: otherKey })],
      relics: [relicIn('c')],
    }),
    stage: { is: 'ambiguous', copies: [sound(aSecret('a', { key: otherKey })), sound(relicIn('c'))] },
  },
  {
    name: 'LCA-42 two copies that the status lists may differ too',
    observed: anObserved({
      agent: anAgent({ ...takenOver, status: { distributedSecretRefs: refsIn('a', 'b') } }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b')],
    }),
    stage: { is: 'ambiguous', copies: [sound(aSecret('a', { key: otherKey })), sound(aSecret('b'))] },
  },
  {
    name: 'LCA-42 LCA-44 the word of somebody decides between different keys',
    observed: anObserved({
      agent: anAgent({
        metadata: annotated({
          [takeoverAnnotation]: 'ledger-operator',
          [adoptAnnotation]: 'b/ledger-biller-agent-keys',
        }),
      }),
      replicas: [aSecret('a', { key: otherKey }), aSecret('b')],
    }),
    stage: { is: 'adoptable', source: sound(aSecret('b')) },
  },
  {
    name: 'LCA-43 a new agent waits when its target holds such a Secret',
    observed: anObserved({ replicas: [aSecret('a')], relics: [relicIn('b')] }),
    stage: { is: 'awaiting-consent', copies: [sound(aSecret('a')), sound(relicIn('b'))] },
  },
  {
    name: 'LCA-45 with the flag a labelled copy is adopted unasked',
    observed: anObserved({ agent: anAgent({ namespaces: [] }), replicas: [aSecret('z')], adoptsLabelled: true }),
    stage: { is: 'adoptable', source: sound(aSecret('z')) },
  },
  {
    name: 'LCA-46 a Secret outside the targets does not hold up a new agent',
    observed: anObserved({
      replicas: [aSecret('z'), aSecret('y', { metadata: { managedFields: [anEntry()] } })],
      relics: [relicIn('z'), elsewhere],
    }),
    stage: { is: 'unminted' },
  },
  {
    name: 'LCA-46 what another installation has claimed is no copy of ours',
    observed: anObserved({ agent: anAgent({ ...takenOver, namespaces: [] }), relics: [relicIn('z', theirs)] }),
    stage: { is: 'unneeded' },
  },
])('$name', ({ observed, stage }) => {
  expect(stageOf(observed)).toEqual(stage)
})
