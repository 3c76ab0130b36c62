import { expect, test } from 'vitest'
import { isLike } from './likeness.ts'

const filledIn = new Set(['kind'])

test.each([
  ['the same', { a: [{ b: 1 }] }, { a: [{ b: 1 }] }],
  ['something filled in', { a: 1 }, { a: 1, kind: 'x' }],
  ['nothing, in other words', { a: undefined, b: {} }, { c: [], d: { e: null } }],
  ['an empty text that is left out', { env: [{ name: 'A', value: '' }] }, { env: [{ name: 'A' }] }],
  ['an empty text that is put in', { grpc: { port: 1 } }, { grpc: { port: 1, service: '' } }],
  ['a zero that is left out', { delay: 0 }, {}],
  ['a zero that is put in', {}, { delay: 0 }],
  ['a no that is left out', { readOnly: false }, {}],
  ['a no that is put in', {}, { readOnly: false }],
  ['a map with nothing but such in it', { a: { b: '', c: 0, d: false } }, {}],
  ['something filled in for a zero', { kind: '' }, { kind: 'x' }],
  ['a label without a value', { labels: { a: '' } }, { labels: { a: '' } }],
  ['no labels, in other words', { labels: {}, a: { annotations: null } }, { annotations: {} }],
  ['an amount in another spelling', { requests: { storage: '1Gi' } }, { requests: { storage: '1024Mi' } }],
  ['an amount as a number', { limits: { cpu: 2 } }, { limits: { cpu: '2' } }],
  ['a text that is called as amounts are', { limits: 'none' }, { limits: 'none' }],
  ['no amounts, in other words', { a: 1, requests: {}, limits: null }, { a: 1, limits: {} }],
  ['a part of one', { limits: { cpu: '0.5' } }, { limits: { cpu: '500m' } }],
])('%s is alike', (_, wanted, found) => {
  expect(isLike(wanted, found, filledIn)).toBe(true)
})

test.each([
  ['another value', { a: 1 }, { a: 2 }],
  ['something that is missing', { a: 1, b: 2 }, { a: 1 }],
  ['something that is there besides', { a: 1 }, { a: 1, b: 2 }],
  ['another value of what would be filled in', { kind: 'y' }, { kind: 'x' }],
  ['a zero and a number', { a: 0 }, { a: 1 }],
  ['a number and nothing', { a: 1 }, {}],
  ['a yes and nothing', { a: true }, {}],
  ['an empty text in a list', { args: [''] }, {}],
  ['an empty item that is there besides', { a: [] }, { a: [{}] }],
  ['a label without a value that is missing', { labels: { a: '' } }, {}],
  ['a label without a value that is there besides', { labels: { a: '1' } }, { labels: { a: '1', b: '' } }],
  ['a label without a value below what is missing', { a: { matchLabels: { b: '' } } }, {}],
  ['a label without a value instead of another', { labels: { a: '' } }, { labels: { b: '' } }],
  ['a label that is called as what is filled in', {}, { labels: { kind: 'x' } }],
  ['nodes that are chosen by a label without a value', { nodeSelector: { a: '' } }, {}],
  ['a limit of nothing, and no limit', { limits: { cpu: 0 } }, {}],
  ['another order', { a: [1, 2] }, { a: [2, 1] }],
  ['a longer list', { a: [1] }, { a: [1, 2] }],
  ['a list that is missing', { a: [1] }, {}],
  ['a map and a text', { a: { b: 1 } }, { a: 'b' }],
  ['a text and a map', { a: 'b' }, { a: { b: 1 } }],
  ['a map and a list', { a: { 0: 1 } }, { a: [1] }],
  ['a list and a map', { a: [1] }, { a: { 0: 1, length: 1 } }],
  ['another amount', { requests: { storage: '1Gi' } }, { requests: { storage: '1G' } }],
  ['an amount that is missing', { requests: { storage: '1Gi' } }, {}],
  ['an amount of something else', { requests: { cpu: '1' } }, { requests: { memory: '1' } }],
  ['an amount that is there besides', { requests: { cpu: '1' } }, { requests: { cpu: '1', memory: '1' } }],
  ['an amount where none is wanted', {}, { limits: { cpu: '1' } }],
  ['another text that is called as amounts are', { limits: '1' }, { limits: '1.0' }],
  ['amounts and a text', { limits: { 0: '1' } }, { limits: '1' }],
  ['text that looks like an amount', { value: '1' }, { value: '1.0' }],
  ['a part and the whole', { limits: { cpu: '500m' } }, { limits: { cpu: '1' } }],
])('%s is not', (_, wanted, found) => {
  expect(isLike(wanted, found, filledIn)).toBe(false)
})
