import { describe, expect, test } from 'vitest'
import type { Desired } from './effects.ts'
import { coversEveryPath } from './in-sync.ts'
import type { FieldSet } from './object.ts'

const metadata = { name: 'n' }

describe('a map or list of which we own nothing more', () => {
  const posted = { 'f:spec': { '.': {}, 'f:pod': {}, 'f:other': {} } }
  const desired = { metadata, spec: { pod: { user: 1 } } }
  const theirs = { 'f:spec': { 'f:pod': { 'f:user': {} } } }

  test.for([
    { name: 'is owned as a whole when nobody owns a part of it', anyones: posted, expected: true },
    { name: 'is not ours when somebody has changed what we posted', anyones: theirs, expected: false },
    { name: 'is not ours when it was emptied', anyones: posted, live: { spec: { pod: {} } }, expected: false },
    {
      name: 'is ours while there is something in it',
      anyones: posted,
      live: { spec: { pod: { u: 1 } } },
      expected: true,
    },
  ])('$name', ({ anyones, live, expected }) => {
    expect(coversEveryPath({ ours: posted, anyones, live }, desired)).toBe(expected)
  })

  test('is owned as a whole when all that we put in it is something that the server drops', () => {
    const nothing = { metadata, spec: { pod: { labels: {}, names: [], user: undefined } } }
    expect(coversEveryPath({ ours: posted, anyones: posted, live: { spec: { pod: {} } } }, nothing)).toBe(true)
  })

  test('is looked at in the very item of a list', () => {
    const item = { '.': {}, 'f:name': {}, 'f:context': {} }
    const ours = { 'f:list': { 'k:{"name":"a"}': item, 'k:{"name":"b"}': item } }
    const list = [
      { name: 'a', context: { user: 1 } },
      { name: 'b', context: { user: 2 } },
    ]
    expect(coversEveryPath({ ours, anyones: ours, live: { list } }, { metadata, list })).toBe(true)
    const emptied = [list[0], { name: 'b', context: {} }]
    expect(coversEveryPath({ ours, anyones: ours, live: { list: emptied } }, { metadata, list })).toBe(false)
  })
})

describe('what is empty', () => {
  const none = { metadata, spec: { list: [] } }
  const isCovered = (ours: FieldSet, theirs: FieldSet, desired: Desired) =>
    coversEveryPath(
      { ours: { 'f:spec': ours }, anyones: { 'f:spec': { ...ours, ...theirs } }, live: undefined },
      desired,
    )

  test('nobody need own an empty list, and others may have items in it', () => {
    expect(isCovered({ 'f:x': {} }, {}, none)).toBe(true)
    expect(isCovered({ 'f:x': {} }, { 'f:list': { 'v:"a"': {} } }, none)).toBe(true)
  })

  test('a list that somebody has written as a whole is not the empty one that we want', () => {
    expect(isCovered({ 'f:x': {} }, { 'f:list': {} }, none)).toBe(false)
    expect(isCovered({ 'f:list': {} }, {}, none)).toBe(true)
  })

  test('an empty map is ours, whatever others put into it', () => {
    const desired = { metadata, spec: { emptyDir: {} } }
    expect(isCovered({ 'f:emptyDir': {} }, { 'f:emptyDir': { '.': {}, 'f:medium': {} } }, desired)).toBe(true)
    expect(isCovered({ 'f:x': {} }, {}, desired)).toBe(false)
  })
})
