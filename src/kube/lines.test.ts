import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

const whole = (line: string): string => line

const linesIn = (...chunks: readonly string[]) =>
  collect(linesOf(streamOf(chunks.map((chunk) => Buffer.from(chunk))), whole))

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
      expect(await collect(linesOf(streamOf(chunks), whole))).toEqual(lines)
    }),
  )
})

test('nothing of a line is kept while the next one is waited for', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const used = async () => {
    collectGarbage()
    // Buffers are freed by another thread.
    await nextTurn()
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const end = Promise.withResolvers<undefined>()
  const parts = 8
  const megabyte = 1_000_000
  const body = async function* () {
    for (let n = 0; n < parts; n += 1) yield Buffer.alloc(megabyte, 'x')
    yield Buffer.from('\n')
    await end.promise
  }
  const lengths = linesOf(body(), (line) => line.length)
  const before = await used()
  expect((await lengths.next()).value).toBe(parts * megabyte)
  const next = lengths.next()
  expect((await used()) - before).toBeLessThan(2 * megabyte)
  end.resolve(undefined)
  expect((await next).done).toBe(true)
})
