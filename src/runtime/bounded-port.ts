import type { Clock } from '../kube/clock.ts'
import { ConnectionError, type Port } from '../kube/port.ts'
import { type Duration, seconds } from '../pure/duration.ts'

/** The same port, whose calls have failed when they are not answered in time. Watches go on for as long as they like. */
export const boundCalls = (port: Port, clock: Clock, time: Duration): Port => ({
  async call(request, signal) {
    signal.throwIfAborted()
    const ended = new AbortController()
    const gaveUp = Promise.withResolvers<never>()
    const giveUp = (reason: unknown) => {
      // Not left to the port: whoever waits for this must go on in time.
      gaveUp.reject(reason)
      ended.abort(reason)
    }
    const callOff = clock.after(time, () =>
      giveUp(new ConnectionError(`no answer within ${time / seconds(1)} s`, { wasSent: true })),
    )
    const whenRaised = () => giveUp(new ConnectionError('it was called off', { wasSent: true, cause: signal.reason }))
    signal.addEventListener('abort', whenRaised)
    try {
      return await Promise.race([port.call(request, ended.signal), gaveUp.promise])
    } finally {
      callOff()
      signal.removeEventListener('abort', whenRaised)
    }
  },
  open: (request, signal) => port.open(request, signal),
  close: () => port.close(),
})
