import { expect, test } from 'vitest'
import { anEntry } from '../../test/fixtures/agent.ts'
import { Secret } from './kind.ts'
import { hasEntryOf, ownedFieldsOf, withEntriesApplied } from './managed-fields.ts'

const manager = 'holdfast'
const former = 'former'
const ours = (fieldsV1 = {}, more = {}) => anEntry({ manager, fieldsV1, ...more })
const labels = { 'f:metadata': { 'f:labels': { 'f:a': {} } } }
const data = { 'f:data': { '.': {}, 'f:seed.hex': {} }, 'f:metadata': { 'f:labels': { 'f:b': {} } } }

test('a manager has written an object when it owns a path of it, and the status does not count', () => {
  expect(hasEntryOf(undefined, manager)).toBe(false)
  expect(hasEntryOf([anEntry({ manager: 'somebody' })], manager)).toBe(false)
  expect(hasEntryOf([ours({}, { subresource: 'status' })], manager)).toBe(false)
  expect(hasEntryOf([ours()], manager)).toBe(true)
})

test('a manager owns what it posted and what it applied', () => {
  expect(ownedFieldsOf(undefined, manager)).toEqual({})
  const entries = [
    ours(labels),
    ours(data, { operation: 'Update' }),
    anEntry({ manager: 'somebody', fieldsV1: { 'f:type': {} } }),
  ]
  expect(ownedFieldsOf(entries, manager)).toEqual({
    'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } },
    'f:data': { '.': {}, 'f:seed.hex': {} },
  })
})

const stranger = anEntry({ manager: 'somebody', operation: 'Update', fieldsV1: { 'f:type': {} } })

test.for([
  { name: 'nothing needs turning in an object that nobody of us wrote', entries: [stranger] },
  { name: 'nothing needs turning in an object without entries', entries: undefined },
  { name: 'nothing needs turning when we only ever applied', entries: [stranger, ours(labels)] },
])('$name', ({ entries }) => {
  expect(withEntriesApplied(entries, { kind: Secret, manager, predecessors: [former] })).toBeUndefined()
})

const joined = ours({ ...data, 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } })

test.for([
  {
    name: 'what we posted becomes what we applied',
    entries: [ours(labels, { operation: 'Update' })],
    expected: [ours(labels)],
  },
  {
    name: 'what we posted joins what we applied, and strangers keep theirs',
    entries: [stranger, ours(labels), ours(data, { operation: 'Update' })],
    expected: [joined, stranger],
  },
  {
    name: 'what the former operator wrote joins what we applied',
    entries: [ours(labels), anEntry({ manager: former, operation: 'Update', fieldsV1: data })],
    expected: [joined],
  },
  {
    name: 'what the former operator applied becomes ours',
    entries: [anEntry({ manager: former, fieldsV1: labels })],
    expected: [ours(labels)],
  },
  {
    name: 'what was written in another version is put in ours',
    entries: [anEntry({ manager: former, apiVersion: 'v1beta1', fieldsV1: labels }), ours(data)],
    expected: [joined],
  },
  {
    name: 'the former operator’s status stays the former operator’s',
    entries: [ours(labels, { operation: 'Update' }), anEntry({ manager: former, subresource: 'status' })],
    expected: [ours(labels), anEntry({ manager: former, subresource: 'status' })],
  },
])('LCA-22 $name', ({ entries, expected }) => {
  expect(withEntriesApplied(entries, { kind: Secret, manager, predecessors: [former] })).toEqual(expected)
})
