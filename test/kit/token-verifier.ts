import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { basename } from 'node:path'

/** What a ledger server is given of the agents' keys: its key list, and the files that the list refers to. */
export interface TrustedKeys {
  readonly authKeys: {
    readonly keys: readonly {
      readonly keyId: string
      readonly publicKeyFile: string
      readonly scopes: readonly string[] | null
      readonly god?: boolean
    }[]
  }
  readonly files: Readonly<Record<string, string>>
}

/** What an agent's key is handed out as. */
export interface Bundle {
  readonly signingKey: string
  readonly keyId: string
  readonly scopes: readonly string[] | null
  readonly subject: string
  readonly god?: boolean
}

/** The HTTP status that a list of ledgers, and a new ledger, would be answered with. */
export interface Answers {
  readonly read: number
  readonly write: number
}

interface Claims {
  readonly sub?: string
  readonly iat?: number
  readonly exp?: number
  readonly scope?: string
  readonly god?: boolean
}

type TrustedKey = TrustedKeys['authKeys']['keys'][number]

const refused: Answers = { read: 401, write: 401 }

// What an Ed25519 key in PKCS #8 and in SPKI begins with; the rest of it is the key.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

// As much of the server's default mapping as the two requests need.
const rights: Readonly<Record<string, readonly string[]>> = {
  'ledger:read': ['ledgers:read'],
  'ledger:write': ['ledgers:write'],
  'ledgers:read': ['ledgers:read'],
  'ledgers:write': ['ledgers:write'],
}

/** Answers as a ledger server with these keys does. It knows no other issuer, and trusts nobody without a token. */
export const verifyToken = (token: string | undefined, trusted: TrustedKeys, now = Date.now()): Answers => {
  const [header = '', payload = '', signature = '', ...rest] = token?.split('.') ?? []
  const { alg, kid } = parsed<{ alg?: string; kid?: string }>(header) ?? {}
  // Of two entries with one id the later counts.
  const key = trusted.authKeys.keys.findLast(({ keyId }) => keyId === kid)
  if (alg !== 'EdDSA' || key === undefined || rest.length > 0) return refused
  const isGenuine = verify(
    null,
    Buffer.from(`${header}.${payload}`),
    publicKeyOf(key, trusted),
    Buffer.from(signature, 'base64url'),
  )
  const claims = parsed<Claims>(payload)
  return isGenuine && claims !== undefined ? answersTo(claims, key, now) : refused
}

const answersTo = ({ exp = 0, scope = '', god = false }: Claims, key: TrustedKey, now: number): Answers => {
  const isGodKey = key.god === true
  if (exp * 1000 <= now || typeof scope !== 'string' || (god && !isGodKey)) return refused
  const scopes = scope.split(' ').filter((name) => name !== '')
  if (!isGodKey && scopes.some((name) => !(key.scopes ?? []).includes(name))) return refused
  const held = new Set(scopes.flatMap((name) => rights[name] ?? []))
  return {
    read: god || held.has('ledgers:read') ? 200 : 403,
    write: god || held.has('ledgers:write') ? 201 : 403,
  }
}

/** A server does not start without a key's file, so one that runs has them all. */
const publicKeyOf = ({ publicKeyFile }: TrustedKey, { files }: TrustedKeys): KeyObject => {
  const hex = files[basename(publicKeyFile)]?.trim()
  if (hex === undefined) throw new Error(`the server does not start: ${publicKeyFile} is missing`)
  return createPublicKey({ key: Buffer.concat([spkiPrefix, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })
}

const parsed = <T>(part: string): T | undefined => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as T
  } catch {
    return undefined
  }
}

/** Signs as the ledger's client does at a login: everything that the bundle allows, for an hour, unless told otherwise. */
export const signToken = ({ signingKey, keyId, scopes, subject, god }: Bundle, claims: Claims = {}): string => {
  const iat = Math.floor(Date.now() / 1000)
  const all = { sub: subject, iat, exp: iat + 3600, scope: (scopes ?? []).join(' '), ...(god && { god }), ...claims }
  const signed = [{ alg: 'EdDSA', kid: keyId }, all]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const pkcs8 = Buffer.concat([pkcs8Prefix, Buffer.from(signingKey, 'hex')])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
