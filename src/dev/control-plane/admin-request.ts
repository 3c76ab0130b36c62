import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { KeyAndCertificate } from './certificates.ts'

export interface AdminAccess {
  readonly url: string
  readonly authority: string
  readonly admin: KeyAndCertificate
}

/** Status and body of one GET as the administrator, or nothing while nobody answers there. */
export const getAsAdmin = (
  { url, authority, admin }: AdminAccess,
  path: string,
): Promise<{ readonly status: number; readonly body: string } | undefined> =>
  new Promise((resolve) => {
    const options = { ca: authority, cert: admin.certificate, key: admin.key, agent: false, timeout: 5_000 }
    const outgoing = request(`${url}${path}`, options, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body }),
        () => resolve(undefined),
      )
    })
    outgoing.once('timeout', () => outgoing.destroy())
    outgoing.once('error', () => resolve(undefined))
    outgoing.end()
  })
