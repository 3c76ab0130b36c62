import { expect, test } from 'vitest'
import { ownedPartOf } from './owned-part.ts'

test.each([
  ['a value', { a: 1, b: 2 }, { 'f:a': {} }, { a: 1 }],
  ['a map as a whole', { a: { x: 1, y: 2 } }, { 'f:a': {} }, { a: { x: 1, y: 2 } }],
  ['a map of which the rest is others’', { a: { x: 1, y: 2 } }, { 'f:a': { '.': {}, 'f:x': {} } }, { a: { x: 1 } }],
  ['a map itself, and nothing in it', { a: { x: 1 } }, { 'f:a': { '.': {} } }, { a: {} }],
  [
    'items of a list, known by their fields, in the order of the list',
    { a: [{ n: 'z', v: 1 }, { n: 'o' }, { n: 'y', v: 2, w: 3 }] },
    { 'f:a': { 'k:{"n":"y"}': { '.': {}, 'f:v': {} }, 'k:{"n":"z"}': { '.': {}, 'f:n': {}, 'f:v': {} } } },
    {
      a: [
        { n: 'z', v: 1 },
        { n: 'y', v: 2 },
      ],
    },
  ],
  ['a list as a whole', { a: [{ n: 'x' }, 'y'] }, { 'f:a': {} }, { a: [{ n: 'x' }, 'y'] }],
  ['an item as a whole', { a: [{ n: 'x', v: 1 }] }, { 'f:a': { 'k:{"n":"x"}': {} } }, { a: [{ n: 'x', v: 1 }] }],
  [
    'of an item itself, and nothing in it, what it is known by',
    {
      a: [
        { p: 1, q: 'T', v: 1 },
        { p: 1, q: 'U' },
      ],
    },
    { 'f:a': { 'k:{"p":1,"q":"T"}': { '.': {} } } },
    { a: [{ p: 1, q: 'T' }] },
  ],
  ['no item of a list that is itself owned', { a: [{ n: 'x' }, 'y'] }, { 'f:a': { '.': {} } }, { a: [] }],
  ['what was emptied', { a: null, b: 'x' }, { 'f:a': { 'f:c': {} }, 'f:b': { 'f:c': {} } }, { a: null, b: 'x' }],
  ['items of a set', { a: ['x', 'y'] }, { 'f:a': { 'v:"y"': {} } }, { a: ['y'] }],
  ['nothing, where no path is owned', { a: 1 }, {}, {}],
  ['what is not there any more', { b: 1 }, { 'f:a': {}, 'f:b': {} }, { b: 1 }],
])('the owned part has %s', (_, value, owned, part) => {
  expect(ownedPartOf(value, owned)).toEqual(part)
})
