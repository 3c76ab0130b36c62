import { expect, test } from 'vitest'
import { aKey, anAgent, anObserved, aSecret, keyIdOf, unread } from '../../../test/fixtures/agent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { adoptAnnotation, claimAnnotation } from '../../pure/names.ts'
import type { Observed } from './observed.ts'
import { searchForKey } from './witnesses.ts'

const keyID = keyIdOf(aKey())
const bare = { labels: {} }
const adopting = (named: string) => ({
  metadata: { annotations: { [claimAnnotation]: 'system', [adoptAnnotation]: named } },
})
const sound = (secret: ReturnType<typeof aSecret>) => ({ secret, key: digestAgentKey(aKey()) })

test.for<{ name: string; observed: Observed; stage: object }>([
  {
    name: 'LCA-44 a Secret that is named is adopted, in a target or elsewhere',
    observed: anObserved({ agent: anAgent(adopting('far/ledger-biller-agent-keys')), replicas: [aSecret('far')] }),
    stage: { is: 'adoptable', source: sound(aSecret('far')) },
  },
  {
    name: 'LCA-44 a Secret that is named with its key id is adopted',
    observed: anObserved({ agent: anAgent(adopting(`a/ledger-biller-agent-keys@${keyID}`)), replicas: [aSecret('a')] }),
    stage: { is: 'adoptable', source: sound(aSecret('a')) },
  },
  {
    name: 'LCA-44 a Secret that has been given another key than the one that was named is not adopted',
    observed: anObserved({ agent: anAgent(adopting('a/ledger-biller-agent-keys@00')), replicas: [aSecret('a')] }),
    stage: { is: 'unadoptable', named: 'a/ledger-biller-agent-keys@00', fault: `it holds key ${keyID}` },
  },
  {
    name: 'LCA-44 a Secret that is named and not there is not adopted, and nothing is minted',
    observed: anObserved({ agent: anAgent(adopting('a/ledger-biller-agent-keys')) }),
    stage: {
      is: 'unadoptable',
      named: 'a/ledger-biller-agent-keys',
      fault: 'there is no Secret of that name which could be a copy of this agent’s key, or its key is revoked',
    },
  },
  {
    name: 'LCA-44 a Secret that is named and not labelled is not adopted',
    observed: anObserved({
      agent: anAgent(adopting('a/ledger-biller-agent-keys')),
      replicas: [aSecret('a', { metadata: bare })],
    }),
    stage: {
      is: 'unadoptable',
      named: 'a/ledger-biller-agent-keys',
      fault: 'it is not labelled as this agent’s, or its key does not hold together',
    },
  },
  {
    name: 'LCA-17 a Secret that is named and cannot be read is waited for',
    observed: anObserved({
      agent: anAgent(adopting('a/ledger-biller-agent-keys')),
      replicas: [aSecret('a', { key: unread })],
    }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-44 an annotation that names nothing asks for nothing',
    observed: anObserved({ agent: anAgent(adopting(' ')) }),
    stage: { is: 'unminted' },
  },
])('$name', ({ observed, stage }) => {
  expect(searchForKey(observed)).toEqual(stage)
})
