import { expect, test } from 'vitest'
import { anEntry } from '../../../test/fixtures/agent.ts'
import type { WithStatus } from '../../runtime/report.ts'
import { changesInStatus } from './status-changes.ts'

const aCondition = (type: string, status: 'True' | 'False') => ({
  type,
  status,
  reason: 'Because',
  message: 'so it is',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})

const fieldsV1 = {
  'f:status': {
    'f:phase': {},
    'f:former': {},
    'f:conditions': { 'k:{"type":"Ready"}': {}, 'k:{"type":"Paused"}': {} },
  },
}

const object: WithStatus = {
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: {
    name: 'x',
    uid: 'u',
    resourceVersion: '1',
    managedFields: [anEntry({ manager: 'keeper', subresource: 'status', fieldsV1 })],
  },
  status: {
    phase: 'Ready',
    former: 'ours',
    theirs: 'stays',
    conditions: [aCondition('Ready', 'True'), aCondition('Paused', 'True'), aCondition('Theirs', 'True')],
  },
}

test('PLAN-6 the status shows what it would say anew and what of ours it would no longer say, and no times', () => {
  const later = { ...aCondition('Ready', 'False'), lastTransitionTime: '2026-02-02T00:00:00Z' }
  expect(changesInStatus(object, { phase: 'Ready', conditions: [later] }, 'keeper')).toEqual([
    { path: 'conditions.Ready.status', before: 'True', after: 'False' },
    { path: 'former', before: 'ours' },
    { path: 'conditions.Paused', before: { status: 'True', reason: 'Because', message: 'so it is' } },
  ])
})
