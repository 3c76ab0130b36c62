import { isDeepStrictEqual } from 'node:util'
import type { Source } from './source.ts'

/** One header as it is sent; a name may come more than once. */
export type Header = readonly [name: string, value: string]

/** Whom we trust on a TLS connection, and the certificate that we show. Without a CA, those of the system are trusted. */
export interface TlsMaterial {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  /** The name that the server's certificate must have, when it is not the one in its address. */
  readonly servername: string | undefined
}

/** What a connection and its requests need to be ours, right now. */
export interface Identity {
  readonly tls: TlsMaterial
  readonly headers: readonly Header[]
}

/** How to reach one API server, and as whom. The files and plugins behind it may change while we run. */
export interface Credentials {
  readonly server: string
  /** The same object for as long as nothing changes. */
  current(): Promise<Identity>
  /** The server answered 401 to this identity. Tells whether there may be another. */
  refused(identity: Identity): boolean
}

/** What shows who we are. */
export interface Proof {
  readonly cert?: string
  readonly key?: string
  readonly token?: string
}

export interface Parts {
  readonly server: string
  readonly servername?: string | undefined
  readonly ca: Source<string | undefined>
  readonly proofs: readonly Source<Proof>[]
  /** Sent besides what the proofs ask for. */
  readonly headers?: readonly Header[]
}

/** Credentials whose parts change each in its own time. */
export const composeCredentials = ({ server, servername, ca, proofs, headers = [] }: Parts): Credentials => {
  let latest: Identity | undefined
  return {
    server,
    async current() {
      const [trusted, ...shown] = await Promise.all([ca.current(), ...proofs.map((proof) => proof.current())])
      const { cert, key, token } = Object.assign({}, ...shown) as Proof
      const authorization: readonly Header[] = token === undefined ? [] : [['authorization', `Bearer ${token}`]]
      const identity = { tls: { ca: trusted, cert, key, servername }, headers: [...authorization, ...headers] }
      if (latest === undefined || !isDeepStrictEqual(latest, identity)) latest = identity
      return latest
    },
    refused(identity) {
      // Another call was refused with it before, and what comes after it is not to be thrown away.
      if (identity !== latest) return true
      return [ca, ...proofs].map((source) => source.renew()).includes(true)
    },
  }
}
