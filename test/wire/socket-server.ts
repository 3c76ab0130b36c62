import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../src/kube/client.ts'
import { Informer } from '../../src/kube/informer.ts'
import type { Port } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { connect } from '../../src/kube/wire.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { ConfigMap } from './watched-server.ts'

/** What becomes of one watch, once it has been told everything there is. */
export type Misfortune = (socket: Socket, response: ServerResponse) => void

/** A way to a server at this address that asks nobody who they are. */
const connectTo = (server: string): Port => {
  const nobody = { tls: { ca: undefined, cert: undefined, key: undefined, servername: undefined }, headers: [] }
  return connect({ server, current: () => Promise.resolve(nobody), refused: () => false })
}

/** An HTTP server with one object, whose watches end as the test has it: each next watch meets the next misfortune. */
export class SocketServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => this.#serve(request, response))
  readonly #misfortunes: readonly Misfortune[]
  /** Every socket that is open. */
  readonly sockets = new Set<Socket>()
  /** How many watches there were. */
  watches = 0
  readonly #clock = new TurnedClock()
  readonly #stopped = new AbortController()
  #port: Port | undefined

  constructor(misfortunes: readonly Misfortune[]) {
    this.#misfortunes = misfortunes
    this.#server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
      // That the other side went away is what these tests are about.
      socket.on('error', () => undefined)
    })
  }

  /** An informer at work. */
  async inform(): Promise<Informer> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.#port = connectTo(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
    const { signal } = this.#stopped
    const client = createClient(this.#port, signal)
    const wires = { client, clock: this.#clock, signal, syncs: new Turnstile(1), onTrouble: () => undefined }
    const informer = new Informer({ kind: ConfigMap, choice: {}, extent: 'whole', indexes: {} }, undefined, wires)
    void informer.run()
    return informer
  }

  /** Waits until it is so; what does not happen by itself is given time in which to be missed. */
  async until(question: string, isSo: () => boolean): Promise<void> {
    await eventually(question, async () => {
      for (let looks = 0; looks < 20 && !isSo(); looks += 1) await pause(5)
      if (!isSo()) this.#clock.turn(milliseconds(Math.max(this.#clock.untilNext ?? seconds(1), 1)))
      return isSo()
    })
  }

  stop(): void {
    this.#stopped.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await this.#port?.close()
    this.#server.closeAllConnections()
    await once(this.#server.close(), 'close')
  }

  #serve({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (!url.includes('watch=true')) {
      response.end(JSON.stringify({ metadata: { resourceVersion: '100' }, items: [] }))
      return
    }
    const number = (this.watches += 1)
    response.write(aLine('n', 100 + number))
    response.write(endOfAll(100 + number))
    const { socket } = response
    if (socket !== null) this.#misfortunes[number - 1]?.(socket, response)
  }
}

export const aLine = (name: string, version: number): string => {
  const metadata = { namespace: 'a', name, uid: `uid-${name}`, resourceVersion: String(version) }
  return `${JSON.stringify({ type: 'ADDED', object: { metadata, data: { text: 'ä€😀' } } })}\n`
}

const endOfAll = (version: number): string => {
  const annotations = { 'k8s.io/initial-events-end': 'true' }
  const object = { metadata: { resourceVersion: String(version), annotations } }
  return `${JSON.stringify({ type: 'BOOKMARK', object })}\n`
}
