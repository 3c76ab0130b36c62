import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { parse } from 'yaml'

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ]
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ]
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const pem = (base64: string): string => Buffer.from(base64, 'base64').toString()

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Sends requests with what the kubeconfig holds and nothing else; without the client certificate when anonymous. */
export const clientOf = async (kubeconfig: string, who: 'admin' | 'anonymous'): Promise<Send> => {
  const { clusters, users } = parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster
  const { 'client-certificate-data': certificate, 'client-key-data': key } = users[0].user
  const credentials = who === 'admin' ? { cert: pem(certificate), key: pem(key) } : {}
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const options = { method, headers, ca: pem(authority), ...credentials, agent: false as const }
      const outgoing = request(`${server}${path}`, options, (response) => {
        json(response).then(
          (parsed) => resolve({ status: response.statusCode ?? 0, body: parsed as Answer['body'] }),
          reject,
        )
      })
      outgoing.once('error', reject)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
}
