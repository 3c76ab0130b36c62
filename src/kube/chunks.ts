/**
 * The text of bytes that came in several chunks. The copy that joins them is freed at once: V8 hardly counts memory outside
 * of its heap, and lets tens of megabytes of such copies pile up before it collects them.
 */
export const textOfChunks = (chunks: readonly Uint8Array[]): string => {
  const joined = Buffer.concat(chunks)
  const text = joined.toString('utf8')
  // A small buffer is part of a pool that others use.
  if (joined.byteLength === joined.buffer.byteLength) joined.buffer.transfer(0)
  return text
}
