import { Agent, get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'

/** The least that a program must do to be answered: node:https with a keep-alive agent, and nothing of ours. */
export const bareHttps = (kubeconfig: string): ((path: string) => Promise<IncomingMessage>) => {
  const credentials = readKubeconfig(kubeconfig, systemClock)
  const agent = credentials.current().then(({ tls }) => new Agent({ keepAlive: true, maxSockets: 32, ...tls }))
  return async (path) => {
    const options = { agent: await agent, headers: { accept: 'application/json' } }
    return new Promise((resolve, reject) => {
      get(`${credentials.server}${path}`, options, resolve).on('error', reject)
    })
  }
}

export const readAll = async (reply: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
