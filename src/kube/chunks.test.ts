import { expect, test } from 'vitest'
import { textOfChunks } from './chunks.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const large = 'é'.repeat(100_000)

test.for<{ name: string; chunks: readonly Uint8Array[]; text: string }>([
  { name: 'no chunks are an empty text', chunks: [], text: '' },
  { name: 'empty chunks are an empty text', chunks: [bytes(''), bytes('')], text: '' },
  { name: 'chunks are joined in order', chunks: [bytes('a'), bytes('b'), bytes('c')], text: 'abc' },
  {
    name: 'a character may be cut by the end of a chunk',
    chunks: [bytes('é').subarray(0, 1), bytes('é').subarray(1)],
    text: 'é',
  },
  { name: 'a text may be large', chunks: [bytes(large), bytes('.')], text: `${large}.` },
  { name: 'one large chunk is a text', chunks: [bytes(large)], text: large },
])('$name', ({ chunks, text }) => {
  expect(textOfChunks(chunks)).toBe(text)
})

test('the chunks, and buffers that were allocated before, stay intact', () => {
  const before = Buffer.from('before')
  const small = [bytes('a'), bytes('b')]
  const big = [bytes(large)]
  textOfChunks(small)
  textOfChunks(big)
  expect(before.toString()).toBe('before')
  expect(textOfChunks(small)).toBe('ab')
  expect(textOfChunks(big)).toBe(large)
})

test('the copy that joins large chunks takes no memory afterwards', () => {
  const megabyte = new Uint8Array(1_000_000)
  const before = process.memoryUsage().arrayBuffers
  for (let n = 0; n < 20; n += 1) textOfChunks([megabyte, megabyte])
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
})
