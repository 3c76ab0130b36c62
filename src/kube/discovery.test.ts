import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../api/ledgerclusteragent.ts'
import { type Kind, Namespace, Secret } from '../pure/kind.ts'
import { discover } from './discovery.ts'
import type { Port } from './port.ts'

const resource = ({ plural, kind, namespaced }: Kind) => ({
  resource: plural,
  responseKind: { kind },
  scope: namespaced ? 'Namespaced' : 'Cluster',
})

/** An API server that knows nothing but what it serves. */
const aServer = (status = 200): Port => ({
  async call({ path }) {
    const core = [{ metadata: {}, versions: [{ version: 'v1', resources: [Secret, Namespace].map(resource) }] }]
    const versions = [{ version: 'v1alpha1', resources: [resource(LedgerClusterAgent)] }]
    const named = [{ metadata: { name: 'ledger.formance.com' }, versions }]
    return { status, retryAfter: undefined, body: JSON.stringify({ items: path === '/api' ? core : named }) }
  },
  open: () => Promise.reject(new Error('nothing to watch')),
  close: () => Promise.resolve(),
})

const { group, version, kind, plural, namespaced } = LedgerClusterAgent
const agentKind: Kind = { group, version, kind, plural, namespaced }

test('every kind that the server serves is found', async () => {
  expect(await discover(aServer(), AbortSignal.timeout(1000))).toEqual([Secret, Namespace, agentKind])
})

test('a server that does not say what it serves is an error', async () => {
  await expect(discover(aServer(403), AbortSignal.timeout(1000))).rejects.toThrow('it answered 403')
})
