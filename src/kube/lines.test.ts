import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const collect = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

const linesIn = (...chunks: readonly string[]) => collect(linesOf(streamOf(chunks.map((chunk) => Buffer.from(chunk)))))

test.for<{ name: string; chunks: readonly string[]; lines: readonly string[] }>([
  { name: 'an empty stream has no lines', chunks: [], lines: [] },
  { name: 'one chunk may hold several lines', chunks: ['a\nb\n'], lines: ['a', 'b'] },
  { name: 'one line may come in several chunks', chunks: ['a', 'b', 'c\n'], lines: ['abc'] },
  { name: 'a chunk may end one line and begin the next', chunks: ['a', 'b\nc', 'd\n'], lines: ['ab', 'cd'] },
  { name: 'an empty line is a line', chunks: ['\n\na\n'], lines: ['', '', 'a'] },
  { name: 'a line that was cut off is none', chunks: ['a\nb'], lines: ['a'] },
])('$name', async ({ chunks, lines }) => {
  expect(await linesIn(...chunks)).toEqual(lines)
})

test('wherever a stream is cut into chunks, its lines are the same', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'))
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(200)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
      const chunks = places.slice(1).map((end, n) => bytes.subarray(places[n], end))
      expect(await collect(linesOf(streamOf(chunks)))).toEqual(lines)
    }),
  )
})
