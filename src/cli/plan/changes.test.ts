import { describe, expect, test } from 'vitest'
import { anEntry } from '../../../test/fixtures/agent.ts'
import { ConfigMap, Secret } from '../../pure/kind.ts'
import type { FieldSet, KubeObject } from '../../pure/object.ts'
import { changesByApply, changesByMarks } from './changes.ts'
import { masked } from './masked.ts'

const manager = 'keeper'

const aLive = (fields: FieldSet, more: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'n',
    uid: 'u',
    resourceVersion: '1',
    managedFields: [anEntry({ manager, fieldsV1: fields })],
    ...metadata,
  },
  ...more,
})

describe('PLAN-4 an apply shows', () => {
  const metadata = { name: 'n', labels: { 'example.com/a': 'new' } }

  test('the value that it would put in the place of another', () => {
    const fields = { 'f:data': { 'f:size': { '.': {} } }, 'f:metadata': { 'f:labels': { 'f:example.com/a': {} } } }
    const live = aLive(fields, {}, { labels: { 'example.com/a': 'old' } })
    expect(changesByApply({ kind: ConfigMap, object: { metadata, data: { size: 'm' } } }, live, manager)).toEqual([
      { path: 'metadata.labels[example.com/a]', before: 'old', after: 'new' },
    ])
  })

  test('a path that somebody else has taken, also where its value is not in view', () => {
    const live = aLive({ 'f:metadata': { 'f:labels': {} } }, {}, metadata)
    expect(changesByApply({ kind: ConfigMap, object: { metadata, data: { size: 'm' } } }, live, manager)).toEqual([
      { path: 'data.size', after: 'm' },
      { path: 'metadata.labels[example.com/a]', after: 'new' },
    ])
  })

  test('the item of a list that is not as it should be, by its place in what is wanted', () => {
    const item = { 'f:name': {}, 'f:image': {} }
    const fields = { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': item, 'k:{"name":"b"}': item } } }
    const containers = ['a', 'b'].map((name) => ({ name, image: 'new' }))
    const running = [
      { name: 'b', image: 'new', defaulted: true },
      { name: 'a', image: 'old' },
    ]
    const live = aLive(fields, { spec: { containers: running } })
    const object = { metadata: { name: 'n' }, spec: { containers } }
    expect(changesByApply({ kind: ConfigMap, object }, live, manager)).toEqual([
      { path: 'spec.containers[0].image', after: 'new' },
    ])
  })
})

test('PLAN-4 a mark shows what it would add, take away and replace', () => {
  const metadata = {
    labels: { a: 'same' },
    annotations: { gone: 'x', other: 'stays' },
    finalizers: ['theirs', 'ours'],
    managedFields: [anEntry({ manager: 'former', operation: 'Update' })],
  }
  const marks = {
    labels: { a: 'same', b: 'new' },
    annotations: { gone: null, 'never-there': null },
    finalizers: ['theirs', 'another'],
    managedFields: [anEntry({ manager })],
  }
  expect(changesByMarks(marks, metadata)).toEqual([
    { path: 'metadata.labels.b', after: 'new' },
    { path: 'metadata.annotations.gone', before: 'x' },
    { path: 'metadata.finalizers', before: 'ours' },
    { path: 'metadata.finalizers', after: 'another' },
    { path: 'metadata.managedFields', before: 'by former (Update)' },
    { path: 'metadata.managedFields', after: 'by keeper (Apply)' },
  ])
})

test('PLAN-5 of a Secret nothing is shown but that it has content, and of what is copied from one neither', () => {
  const ref = { from: { name: 's', uid: 'u', resourceVersion: '1' }, field: 'seed', fingerprint: 'f00d' }
  expect(masked(Secret, { data: { a: 'plain', b: ref }, stringData: { c: 'plain' }, type: 'Opaque' })).toEqual({
    data: { a: '[secret]', b: '[secret]' },
    stringData: { c: '[secret]' },
    type: 'Opaque',
  })
  expect(masked(ConfigMap, { data: { a: 'plain', b: ref } })).toEqual({ data: { a: 'plain', b: '[secret]' } })
})
