import type { Header } from './credentials.ts'

export interface Impersonated {
  readonly user: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** The headers that ask the API server to take us for somebody else. */
export const impersonationHeaders = ({ user, uid, groups, extra }: Impersonated): readonly Header[] => [
  ['Impersonate-User', user],
  ...(uid === undefined ? [] : [['Impersonate-Uid', uid] as const]),
  ...groups.map((group) => ['Impersonate-Group', group] as const),
  ...Object.entries(extra).flatMap(([key, values]) =>
    values.map((value) => [`Impersonate-Extra-${escapeKey(key)}`, value] as const),
  ),
]

export const isHeaderValue = (text: string): boolean => /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text)

/** A key may be any text, a header's name may not: the server takes what is percent-encoded back. */
const escapeKey = (key: string): string =>
  [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[!#$&'*+.^_`|~0-9A-Za-z-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
