import { isDeepStrictEqual } from 'node:util'
import { keyIdOf } from './agent-key.ts'
import { fingerprint } from './fingerprint.ts'
import type { Known } from './known.ts'
import { type Limits, parseLimited } from './limits.ts'
import { serviceNames } from './names.ts'
import type { KubeObject } from './object.ts'
import { getOwn } from './own.ts'

/** What is said of an agent's key to a ledger. */
export interface KeyEntry {
  /** Undefined for the key that nobody has. */
  readonly agent: string | undefined
  readonly file: string
  readonly keyId: string
  /** 32 bytes in hex. */
  readonly publicKey: string
  readonly scopes: readonly string[] | null
  readonly god: boolean
}

type Data = Readonly<Record<string, string>>

/** The ConfigMap that a service's replicas load their keys from. */
export interface KeyList extends KubeObject {
  readonly data?: Data
  readonly immutable?: boolean
}

/** The file that a ledger reads first; it names the others. */
const listFile = 'auth-keys.json'
export const keysDir = '/auth-keys'
/** The volume of a pod that is mounted there. */
export const keysVolume = 'auth-keys'

/** The data of a service's key list, as the ledger reads it, in the order of the files. */
export const renderKeyList = (entries: readonly KeyEntry[]): Data => {
  const keys = inOrder(entries).map(({ file, keyId, scopes, god }) => ({
    keyId,
    publicKeyFile: `${keysDir}/${file}`,
    scopes,
    ...(god && { god }),
  }))
  const files = entries.map(({ file, publicKey }) => [file, publicKey] as const)
  return { [listFile]: JSON.stringify({ keys }, undefined, 2), ...Object.fromEntries(files) }
}

/** The author of a list may be anybody in its namespace. */
const listLimits: Limits = { size: 384 * 1024, depth: 8 }

/** A list with more is larger than what can be read of it again. */
export const mostKeys = 1500

/** What a key list says, or why that cannot be told. */
export const readKeyList = (data: Data): Known<readonly KeyEntry[]> => {
  const listed = parseList(data)
  if (listed === undefined || listed.keys.length === 0) return unreadable
  const entries = listed.keys.flatMap((key) => entryOf(key, data) ?? [])
  return entries.length === listed.keys.length ? { known: entries } : unreadable
}

/** No ledger starts with an empty list either: whoever has emptied it did not mean that nobody may sign in. */
const unreadable = {
  unknown: `${listFile} is missing, is empty, is not what a ledger reads, or names a file that is no public key`,
}

interface Listed {
  readonly keyId: string
  readonly publicKeyFile: string
  readonly scopes?: readonly string[] | null
  readonly god?: boolean
}

/** The first file of a list, when every value that we look at has its type. */
const parseList = (data: Data): { readonly keys: readonly Listed[] } | undefined => {
  const parsed = parseLimited(getOwn(data, listFile) ?? '', listLimits)
  if (!('known' in parsed) || !isObject(parsed.known)) return undefined
  const { keys } = parsed.known
  return Array.isArray(keys) && keys.every(isListed) ? { ...parsed.known, keys } : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListed = (key: unknown): key is Listed => {
  if (!isObject(key)) return false
  const { keyId, publicKeyFile, scopes, god } = key
  const hasScopes = Array.isArray(scopes)
    ? scopes.every((scope) => typeof scope === 'string')
    : (scopes ?? null) === null
  return (
    typeof keyId === 'string' &&
    typeof publicKeyFile === 'string' &&
    hasScopes &&
    (god === undefined || typeof god === 'boolean')
  )
}

const listedFields: readonly string[] = ['keyId', 'publicKeyFile', 'scopes', 'god'] satisfies (keyof Listed)[]

/** Whether a list says these things and nothing besides. A ledger reads more than we do, such as `Keys` for `keys`. */
export const isKeyListOf = (entries: readonly KeyEntry[], data: Data): boolean => {
  const read = readKeyList(data)
  const listed = parseList(data)
  if ('unknown' in read || listed === undefined || read.known.length !== entries.length) return false
  const { keys, ...more } = listed
  const isPlain =
    Object.keys(more).length === 0 &&
    keys.every((key) => Object.keys(key).every((field) => listedFields.includes(field)))
  return isPlain && isDeepStrictEqual(byFile(read.known), byFile(entries))
}

const byFile = (entries: readonly KeyEntry[]) => new Map(entries.map((entry) => [entry.file, entry]))

/** Undefined when the file is not the public key that the entry names. */
const entryOf = ({ keyId, publicKeyFile, scopes, god }: Listed, data: Data): KeyEntry | undefined => {
  const file = publicKeyFile.slice(keysDir.length + 1)
  const publicKey = (getOwn(data, file) ?? '').trim().toLowerCase()
  const id = keyIdOfFile(publicKey)
  if (`${keysDir}/${file}` !== publicKeyFile || id !== keyId) return undefined
  return { agent: agentOfFile(file, id), file, keyId, publicKey, scopes: scopes ?? null, god: god === true }
}

/**
 * The hash by which pods are made anew when a list changes. The former operator computes it so, from what it calls these
 * things: a service that it left is not restarted for another hash.
 */
export const keysHashOf = (entries: readonly KeyEntry[]): string => {
  const known = inOrder(entries).map(({ agent, keyId, publicKey, scopes, god }) => ({
    ConfigMapPrefix: agent === undefined ? 'nobody' : 'agent',
    AgentName: agent ?? '',
    KeyID: keyId,
    PublicKey: publicKey,
    Scopes: scopes,
    God: god,
  }))
  return fingerprint(JSON.stringify(known).replace(/[<>&]/g, escaped))
}

/** As Go prints JSON. */
const escaped = (sign: string): string => `\\u00${sign.charCodeAt(0).toString(16)}`

/** By agent, and the first key of an agent before its others. */
const inOrder = (entries: readonly KeyEntry[]): readonly KeyEntry[] =>
  [...entries].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))

const sortKeyOf = ({ agent = '', file, keyId }: KeyEntry): string =>
  `${agent} ${file === serviceNames.publicKeyFile(agent, { generation: 1, keyId }) ? '' : keyId}`

/**
 * Holds the place of a key where a ledger needs one and nobody shall get in: it does not start with an empty list. The
 * bytes are a hash, so that no private half of it was ever made.
 */
export const nobodyEntry = (serviceUid: string): KeyEntry => {
  const publicKey = fingerprint(`holdfast.dev nobody ${serviceUid}`)
  const keyId = keyIdOf(Buffer.from(publicKey, 'hex'))
  return { agent: undefined, file: serviceNames.nobodyFile, keyId, publicKey, scopes: [], god: false }
}

/** One key that a service accepts tokens of. */
export interface ListedKey {
  readonly agent: string
  /** Absent when what is there is no public key. */
  readonly keyId: string | undefined
}

/** The agents' keys in a service's key list. A server does not start without the file of a key, so the files tell all. */
export const keysListedIn = (data: Data): readonly ListedKey[] =>
  Object.entries(data).flatMap(([file, content]) => {
    const keyId = keyIdOfFile(content.trim())
    const agent = agentOfFile(file, keyId)
    return agent === undefined ? [] : [{ agent, keyId }]
  })

/** Further keys of an agent have their own id in the name of the file. */
const agentOfFile = (file: string, keyId: string | undefined): string | undefined => {
  const [name] = serviceNames.ofPublicKeyFile(file)
  const ending = `-${keyId}`
  return name?.endsWith(ending) === true ? name.slice(0, -ending.length) : name
}

const keyIdOfFile = (hex: string): string | undefined =>
  /^[0-9a-f]{64}$/i.test(hex) ? keyIdOf(Buffer.from(hex, 'hex')) : undefined
