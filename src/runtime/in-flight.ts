import type { Port } from '../kube/port.ts'

/** The same port, with a count of the calls that have not been answered yet. */
export const countCalls = (port: Port): { readonly port: Port; readonly inFlight: number } => {
  let inFlight = 0
  return {
    port: {
      async call(request, signal) {
        inFlight += 1
        try {
          return await port.call(request, signal)
        } finally {
          inFlight -= 1
        }
      },
      open: (request, signal) => port.open(request, signal),
      close: () => port.close(),
    },
    get inFlight() {
      return inFlight
    },
  }
}
