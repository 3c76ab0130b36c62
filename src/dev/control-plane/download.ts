import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The network does not have the file: not a fault, there are other ways to get the programs. */
export class UnreachableError extends Error {}

export interface Checksum {
  readonly algorithm: 'sha256' | 'sha512'
  readonly hex: string
}

/** Small files come first and tell whether a host is worth waiting for. */
const answerWithin = 3_000

const get = async (url: string, signal?: AbortSignal): Promise<Response> => {
  const response = await fetch(url, signal ? { signal } : {}).catch((cause: unknown) => {
    throw new UnreachableError(`${new URL(url).host} does not answer`, { cause })
  })
  if (!response.ok) throw new UnreachableError(`${url} answers ${response.status}`)
  return response
}

export const fetchText = async (url: string): Promise<string> => {
  const response = await get(url, AbortSignal.timeout(answerWithin))
  return response.text().catch((cause: unknown) => {
    throw new UnreachableError(`${new URL(url).host} does not answer`, { cause })
  })
}

/** Writes a file, executable, and makes sure that it is the published one. */
export const downloadChecked = async (url: string, file: string, checksum: Checksum): Promise<void> => {
  const { body } = await get(url)
  const hash = createHash(checksum.algorithm)
  try {
    await pipeline(
      body ? Readable.fromWeb(body) : Readable.from([]),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(file, { mode: 0o755 }),
    )
  } catch (cause) {
    // fetch throws TypeError for a connection that broke; all else (a full disk) is about the file.
    if (cause instanceof TypeError) throw new UnreachableError(`${new URL(url).host} broke off`, { cause })
    throw cause
  }
  if (hash.digest('hex') !== checksum.hex.toLowerCase())
    throw new Error(
      `cannot use ${url}: its ${checksum.algorithm} checksum is not the published one, so nothing of it was kept; ` +
        'run this again, and if it stays so, ask who runs your network, or set KUBEBUILDER_ASSETS to programs you trust',
    )
}
