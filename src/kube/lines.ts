import { textOfChunks } from './chunks.ts'

/**
 * Splits a byte stream at newlines, and parses each line at once. Lines are decoded whole, so a character cut by a chunk's
 * end is no trouble. A generator that waits keeps the values it worked on: the text of a line would live until the next one
 * comes, be taken for long-lived by the garbage collector, and cost a full collection.
 */
export async function* linesOf<T>(body: AsyncIterable<Uint8Array>, parse: (line: string) => T): AsyncGenerator<T> {
  let pending: Uint8Array[] = []
  const take = (last: Uint8Array): T => {
    const before = pending
    pending = []
    return parse(decode(before, last))
  }
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield take(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
}

/** Copies only where a line has come in several parts. */
const decode = (pending: readonly Uint8Array[], last: Uint8Array): string =>
  pending.length > 0
    ? textOfChunks([...pending, last])
    : Buffer.from(last.buffer, last.byteOffset, last.byteLength).toString('utf8')

const newline = 0x0a
