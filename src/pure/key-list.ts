import { keyIdOf } from './agent-key.ts'
import { serviceNames } from './names.ts'

/** One key that a service accepts tokens of. */
export interface ListedKey {
  readonly agent: string
  /** Absent when what is there is no public key. */
  readonly keyId: string | undefined
}

/** The agents' keys in a service's key list. A server does not start without the file of a key, so the files tell all. */
export const keysListedIn = (data: Readonly<Record<string, string>>): readonly ListedKey[] =>
  Object.entries(data).flatMap(([file, content]) =>
    serviceNames.ofPublicKeyFile(file).map((agent) => ({ agent, keyId: keyIdOfFile(content.trim()) })),
  )

const keyIdOfFile = (hex: string): string | undefined =>
  /^[0-9a-f]{64}$/i.test(hex) ? keyIdOf(Buffer.from(hex, 'hex')) : undefined
