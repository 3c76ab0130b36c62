import { textOfChunks } from './chunks.ts'

/** Splits a byte stream at newlines. Lines are decoded whole, so a character cut by a chunk's end is no trouble. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = []
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield decode(pending, chunk.subarray(start, end))
      if (pending.length > 0) pending = []
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
