/** Splits a byte stream at newlines. Lines are decoded whole, so a character cut by a chunk's end is no trouble. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = []
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      pending = []
      start = end + 1
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
}

const newline = 0x0a
