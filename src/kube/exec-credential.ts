import { z } from 'zod'
import { isPair, isToken } from './credential-files.ts'
import type { Proof } from './credentials.ts'

const credential = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z
    .object({
      token: z.string().nullish(),
      clientCertificateData: z.string().nullish(),
      clientKeyData: z.string().nullish(),
      expirationTimestamp: z.iso.datetime({ offset: true }).nullish(),
    })
    .nullish(),
})

export interface ExecCredential {
  readonly proof: Proof
  /** Milliseconds since the epoch; never, when the plugin does not say. */
  readonly expires: number
}

/** What a plugin printed, or in a few words what is wrong with it: never a part of it. */
export const parseExecCredential = (output: string, apiVersion: string): ExecCredential | string => {
  const result = credential.safeParse(parseJson(output))
  if (!result.success) return 'printed something else than an ExecCredential'
  if (result.data.apiVersion !== apiVersion) return `answered in another version than ${apiVersion}`
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = result.data.status ?? {}
  const proof = { ...(token && { token }), ...(cert && { cert }), ...(key && { key }) }
  return faultOf(proof) ?? { proof, expires: expirationTimestamp ? Date.parse(expirationTimestamp) : Infinity }
}

const faultOf = ({ token, cert, key }: Proof): string | undefined => {
  if (token !== undefined && !isToken(token)) return 'printed a token with a character that no header can carry'
  if (cert === undefined && key === undefined) return token === undefined ? 'printed no credentials' : undefined
  if (cert === undefined || key === undefined) return 'printed a certificate or a key without the other'
  return isPair(cert, key) ? undefined : 'printed a certificate and a key that do not fit together'
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the parser's own words quote what they read
  }
}
