import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** What was measured, in milliseconds. */
export interface Answers {
  readonly operator: readonly number[]
  /** The same of a server that is idle. */
  readonly idle: readonly number[]
  /** How often there was no answer of the operator, or not the right one. */
  readonly failures: number
}

/** Runs in a thread of its own, so that the load of the attack does not count as the operator's. */
const { url, everyMs } = workerData as { readonly url: string; readonly everyMs: number }

const stopped = new AbortController()
parentPort?.on('message', () => stopped.abort())

/** How long the answer took; how long it has been awaited, when the questions end before it comes. */
const timeOfAnswer = (asked: string): Promise<number | undefined> => {
  const before = performance.now()
  const elapsed = () => performance.now() - before
  return new Promise((resolve) => {
    get(asked, { agent: false, signal: stopped.signal }, (reply) => {
      reply.on('error', () => undefined).resume()
      resolve(reply.statusCode === 200 ? elapsed() : undefined)
    }).on('error', () => resolve(stopped.signal.aborted ? elapsed() : undefined))
  })
}

const idleServer = new Worker(new URL('./idle-server.ts', import.meta.url))
const [port] = (await once(idleServer, 'message')) as [number]
const operator: number[] = []
const idle: number[] = []
let failures = 0
while (!stopped.signal.aborted) {
  const [time, timeOfIdle] = await Promise.all([
    timeOfAnswer(`${url}/healthz`),
    timeOfAnswer(`http://127.0.0.1:${port}/`),
  ])
  if (time === undefined) failures += 1
  else operator.push(time)
  if (timeOfIdle !== undefined) idle.push(timeOfIdle)
  await pause(everyMs)
}
await idleServer.terminate()
parentPort?.postMessage({ operator, idle, failures } satisfies Answers)
