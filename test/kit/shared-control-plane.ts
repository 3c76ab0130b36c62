import { inject } from 'vitest'
import { type Client, createClient } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Port } from '../../src/kube/port.ts'
import { connect } from '../../src/kube/wire.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly kubeconfig: string
  }
}

export interface Connection {
  readonly port: Port
  readonly client: Client
}

/** A connection as cluster admin. */
export const connectAsAdmin = (kubeconfig: string): Connection => {
  const port = connect(readKubeconfig(kubeconfig, systemClock))
  return { port, client: createClient(port, new AbortController().signal) }
}

let shared: Connection | undefined

/** The connection that all tests of a process share: a TLS handshake for each would be most of their work. */
export const sharedConnection = (): Connection => {
  shared ??= connectAsAdmin(inject('kubeconfig'))
  return shared
}
