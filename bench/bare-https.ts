import { Agent, get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'

/** The least that a program must do to be answered: node:https with a keep-alive agent, and nothing of ours. */
export const bareHttps = (kubeconfig: string): ((path: string) => Promise<IncomingMessage>) => {
  const { server, ca, cert, key } = readKubeconfig(kubeconfig)
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca, cert, key })
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${server}${path}`, { agent, headers: { accept: 'application/json' } }, resolve).on('error', reject)
    })
}

export const readAll = async (reply: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
