import { expect, test } from 'vitest'
import { anAgent, anObserved, aSecret, aKey, keyIdOf } from '../../../test/fixtures/agent.ts'
import type { LiveChoice } from '../../kube/cluster.ts'
import type { LiveRead } from '../../kube/live-reads.ts'
import { agentNames, takeoverAnnotation, claimAnnotation } from '../../pure/names.ts'
import { printKey } from '../../pure/object.ts'
import { liveReadsOf } from './live-reads.ts'

const keyID = keyIdOf(aKey())
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const many = Array.from({ length: 9 }, (_, n) => `n${n}`)
const refsIn = (...namespaces: readonly string[]) =>
  namespaces.map((namespace) => ({ namespace, name: agentNames.replica('biller') }))

const print = (read: LiveRead): string =>
  'key' in read ? `get ${read.kind.kind} ${printKey(read.key)}` : `list ${read.kind.kind} ${printChoice(read.choice)}`

const printChoice = ({ namespace, name, label, value }: LiveChoice): string =>
  [
    namespace ?? 'all',
    ...(name === undefined ? [] : [name]),
    ...(label === undefined ? [] : [`${label}=${value}`]),
  ].join(' ')

const agent = 'get LedgerClusterAgent biller'
const labelled = 'list Secret all ledger.formance.com/agent-name=biller'
const everywhere = 'list Secret all ledger-biller-agent-keys'
const canonical = 'get Secret system/ledger-biller-agent-canonical'
const services = [
  'list LedgerService all',
  'list ConfigMap all app.kubernetes.io/managed-by=ledger-operator',
  'list StatefulSet all app.kubernetes.io/managed-by=ledger-operator',
]
const replicaIn = (namespace: string) => `get Secret ${namespace}/ledger-biller-agent-keys`

test.for([
  {
    name: 'LCA-4 before the first key is generated, the places that its replicas go to are read by name',
    observed: anObserved(),
    reads: [agent, replicaIn('a'), replicaIn('b'), labelled],
  },
  {
    name: 'LCA-4 an agent with many targets costs one list instead of a read for each',
    observed: anObserved({ agent: anAgent({ namespaces: many }) }),
    reads: [agent, everywhere, labelled],
  },
  {
    name: 'LCA-40 while an agent is taken over, every labelled replica is evidence, wherever it is',
    observed: anObserved({
      agent: anAgent({ metadata: { annotations: { [claimAnnotation]: 'system', [takeoverAnnotation]: 'x' } } }),
    }),
    reads: [agent, everywhere, labelled],
  },
  {
    name: 'LCA-14 a key that the status names is searched for everywhere',
    observed: anObserved({ agent: anAgent({ status: { keyID } }) }),
    reads: [agent, everywhere, labelled, canonical],
  },
  {
    name: 'LCA-20 before an agent’s Secrets are deleted, the places of its status are read by name, and what services list',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, namespaces: ['a'], status: { distributedSecretRefs: refsIn('a', 'b') } }),
      canonical: aSecret('system'),
    }),
    reads: [agent, replicaIn('a'), replicaIn('b'), labelled, canonical, ...services],
  },
  {
    name: 'LCA-20 an agent that is deleted without a status may have replicas everywhere',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), canonical: aSecret('system') }),
    reads: [agent, everywhere, labelled, canonical, ...services],
  },
  {
    name: 'LCA-27 an agent at rest needs no live read',
    observed: anObserved({ canonical: aSecret('system'), replicas: [aSecret('a'), aSecret('b')] }),
    reads: [],
  },
])('$name', ({ observed, reads }) => {
  expect(liveReadsOf(observed).map(print)).toEqual(reads)
})
