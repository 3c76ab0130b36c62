import { SecretText } from './secret-text.ts'

/** What the holder of an agent's identity needs to sign tokens. */
export interface Bundle {
  readonly seed: SecretText
  readonly keyId: string
  /** Undefined where the agent's spec has none. */
  readonly scopes: readonly string[] | undefined
  readonly agent: string
  readonly god: boolean
}

/** The bundle as the ledger's tools read it, byte for byte as they would write it. */
export const printBundle = ({ seed, keyId, scopes, agent, god }: Bundle): SecretText => {
  const content = {
    signingKey: seed.reveal(),
    keyId,
    scopes: scopes ?? null,
    subject: agent,
    ...(god ? { god } : {}),
  }
  return new SecretText(`${escaped(JSON.stringify(content, undefined, 2))}\n`)
}

/** Go's encoder escapes what HTML and JavaScript would stumble over; all of it can stand in strings only. */
const escaped = (json: string): string =>
  json.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
