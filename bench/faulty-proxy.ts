import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export const linkFaults = ['cut', 'stall', 'reset'] as const
export type LinkFault = (typeof linkFaults)[number]

/** A way to a server that can be made to fail. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number
  /** Makes every connection that is open now suffer. */
  suffer(fault: LinkFault): void
}

const faults: Readonly<Record<LinkFault, (near: Socket, far: Socket) => void>> = {
  cut(near, far) {
    near.destroy()
    far.destroy()
  },
  // Open to the eye, and nothing comes through any more.
  stall(near, far) {
    near.unpipe(far).pause()
    far.unpipe(near).pause()
  },
  reset(near, far) {
    near.resetAndDestroy()
    far.destroy()
  },
}

export const startFaultyProxy = async (server: URL): Promise<FaultyProxy> => {
  const links = new Map<Socket, Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(server.port), server.hostname)
    links.set(near, far)
    const end = () => {
      links.delete(near)
      faults.cut(near, far)
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.pipe(far).pipe(near)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const suffer = (fault: LinkFault) => {
    for (const [near, far] of links) faults[fault](near, far)
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    suffer,
    async [Symbol.asyncDispose]() {
      suffer('cut')
      proxy.close()
    },
  }
}
