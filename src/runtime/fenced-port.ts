import type { Clock } from '../kube/clock.ts'
import type { Port } from '../kube/port.ts'
import type { Duration } from '../pure/duration.ts'
import { boundCalls } from './bounded-port.ts'
import type { Leadership } from './leadership.ts'

/** How long a write may take, measured on which clock. */
interface WriteTime {
  readonly clock: Clock
  readonly time: Duration
}

/**
 * The same port for who leads: a write starts only when it will have ended while nobody else can lead. Until then it
 * waits, and it fails when leadership is lost. Reads and watches pass.
 */
export const fenceWrites = (port: Port, leadership: Pick<Leadership, 'permitted'>, write: WriteTime): Port => {
  const bounded = boundCalls(port, write.clock, write.time)
  return {
    async call(request, signal) {
      if (request.method === 'GET') return port.call(request, signal)
      await leadership.permitted(write.time, signal)
      return bounded.call(request, signal)
    },
    open: (request, signal) => port.open(request, signal),
    close: () => port.close(),
  }
}
