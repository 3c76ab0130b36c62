import { expect, test } from 'vitest'
import { anEntry } from '../../test/fixtures/agent.ts'
import { ConfigMap, Secret } from './kind.ts'
import {
  allFieldsOf,
  fieldsOfAny,
  hasEntryOf,
  hasEntryOfAny,
  ownedFieldsOf,
  withEntriesApplied,
  withFieldTaken,
} from './managed-fields.ts'
import type { ManagedFieldsEntry } from './object.ts'

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

test('a manager owns of the status what it wrote there, and nothing else', () => {
  const entries = [ours(labels), ours({ 'f:status': {} }, { subresource: 'status' })]
  expect(ownedFieldsOf(entries, manager, 'status')).toEqual({ 'f:status': {} })
})

const entriesOfMany = [
  ours(labels),
  anEntry({ manager: former, operation: 'Update', fieldsV1: data }),
  anEntry({ manager: former, subresource: 'status', fieldsV1: { 'f:status': {} } }),
  anEntry({ manager: 'somebody', fieldsV1: { 'f:type': {} } }),
]
const dataAndLabels = { ...data, 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } }

test('some managers together own what each of them owns, and the status does not count', () => {
  expect(fieldsOfAny(entriesOfMany, [manager, former])).toEqual(dataAndLabels)
})

test('everybody together owns what anybody owns', () => {
  expect(allFieldsOf(entriesOfMany)).toEqual({ ...dataAndLabels, 'f:status': {}, 'f:type': {} })
})

test('nobody owns anything of an object without entries', () => {
  expect(fieldsOfAny(undefined, [manager, former])).toEqual({})
  expect(allFieldsOf(undefined)).toEqual({})
})

const stranger = anEntry({ manager: 'somebody', operation: 'Update', fieldsV1: { 'f:type': {} } })

test.for([
  { name: 'nothing needs turning in an object that nobody of us wrote', entries: [stranger] },
  { name: 'nothing needs turning in an object without entries', entries: undefined },
  { name: 'nothing needs turning when we only ever applied', entries: [stranger, ours(labels)] },
])('$name', ({ entries }) => {
  expect(withEntriesApplied(entries, { kind: Secret, manager, predecessors: [former] })).toBeUndefined()
})

const joined = ours(dataAndLabels)

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

const shared = { manager: 'operator', owning: [['f:metadata', 'f:labels', 'f:a']] }
const sharedEntry = (fieldsV1: ManagedFieldsEntry['fieldsV1'], more = {}) =>
  anEntry({ manager: 'operator', operation: 'Update', fieldsV1, ...more })

test.for([
  { name: 'an entry that owns what the former operator alone writes becomes ours', fieldsV1: labels, isFormers: true },
  { name: 'an entry that owns something else stays', fieldsV1: data, isFormers: false },
  { name: 'an entry that owns nothing stays', fieldsV1: {}, isFormers: false },
])('LCA-22 of a manager whose name others have too, $name', ({ fieldsV1, isFormers }) => {
  const entries = [sharedEntry(fieldsV1)]
  const expected = isFormers ? [ours(fieldsV1)] : undefined
  expect(withEntriesApplied(entries, { kind: Secret, manager, predecessors: [former, shared] })).toEqual(expected)
  expect(hasEntryOfAny(entries, [manager, shared])).toBe(isFormers)
  expect(fieldsOfAny(entries, [manager, shared])).toEqual(isFormers ? fieldsV1 : {})
})

test('LCA-22 of a manager whose name others have too, each entry counts alone', () => {
  const theirs = sharedEntry(data, { apiVersion: 'v2' })
  const entries = [sharedEntry(labels), theirs]
  const succession = { kind: Secret, manager, predecessors: [shared] }
  expect(withEntriesApplied(entries, succession)).toEqual([ours(labels), theirs])
  expect(hasEntryOfAny([sharedEntry(labels, { subresource: 'status' })], [shared])).toBe(false)
})

const files = (...names: readonly string[]) => ({
  'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
})
const theirs = (fieldsV1: ManagedFieldsEntry['fieldsV1']) => ({ ...stranger, fieldsV1 })
const formers = (fieldsV1: ManagedFieldsEntry['fieldsV1']) =>
  anEntry({ manager: former, operation: 'Update', fieldsV1 })

test.for([
  {
    name: 'what somebody put beside ours becomes ours, and the rest of theirs stays theirs',
    entries: [ours({ ...labels, ...files('a') }), theirs({ ...labels, ...files('b') })],
    expected: [ours({ ...labels, ...files('a', 'b') }), theirs(labels)],
  },
  {
    name: 'who wrote nothing else has no entry any more',
    entries: [theirs(files('b')), ours(files('a'))],
    expected: [ours(files('a', 'b'))],
  },
  {
    name: 'who wrote nothing of it keeps all',
    entries: [stranger, ours(files('a', 'b'))],
    expected: [ours(files('a', 'b')), stranger],
  },
  {
    name: 'what the former operator wrote, and what we posted, becomes ours by apply',
    entries: [formers(files('a')), ours({ ...labels, ...files('b') }, { operation: 'Update' })],
    expected: [ours({ ...labels, ...files('a', 'b') })],
  },
  {
    name: 'what was ours and is not there any more stays ours',
    entries: [ours(files('a', 'c'))],
    expected: [ours(files('a', 'b', 'c'))],
  },
  {
    name: 'all becomes ours also where nothing was',
    entries: [theirs({ ...labels, ...files('a', 'b') })],
    expected: [ours(files('a', 'b')), theirs(labels)],
  },
  {
    name: 'all becomes ours also where nobody knows who wrote it',
    entries: undefined,
    expected: [ours(files('a', 'b'))],
  },
])('LSV-18 of a map that we take, $name', ({ entries, expected }) => {
  const data = { field: 'data', keys: ['a', 'b'] }
  expect(withFieldTaken(entries, data, { kind: ConfigMap, manager, predecessors: [former] })).toEqual(expected)
})

test('an entry of ours that owns nothing is left: an apply makes it one that does', () => {
  const empty = { ...anEntry({ operation: 'Update' }), fieldsV1: {} }
  const succession = { kind: Secret, manager: empty.manager, predecessors: [] }
  expect(withEntriesApplied([empty], succession)).toBeUndefined()
})
