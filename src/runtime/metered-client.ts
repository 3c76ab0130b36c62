import { isApiError } from '../kube/api-error.ts'
import type { Client } from '../kube/client.ts'
import type { Kind } from '../pure/kind.ts'
import type { Meter, RequestOutcome, RequestVerb } from './meter.ts'

/** A client whose requests are counted, each with what came of it. */
export const meteredClient = (client: Client, meter: Meter): Client => {
  const metered = async <T>(verb: RequestVerb, kind: Kind, send: () => Promise<T>): Promise<T> => {
    let outcome: RequestOutcome = 'other'
    try {
      const answer = await send()
      outcome = 'ok'
      return answer
    } catch (error) {
      if (isApiError(error)) outcome = error.class
      throw error
    } finally {
      meter.requested(verb, kind, outcome)
    }
  }

  return {
    get: (kind, ...rest) => metered('get', kind, () => client.get(kind, ...rest)),
    list: (kind, ...rest) => metered('list', kind, () => client.list(kind, ...rest)),
    create: (kind, ...rest) => metered('create', kind, () => client.create(kind, ...rest)),
    apply: (kind, ...rest) => metered('apply', kind, () => client.apply(kind, ...rest)),
    applyStatus: (kind, ...rest) => metered('applyStatus', kind, () => client.applyStatus(kind, ...rest)),
    mark: (kind, ...rest) => metered('mark', kind, () => client.mark(kind, ...rest)),
    delete: (kind, ...rest) => metered('delete', kind, () => client.delete(kind, ...rest)),
    openWatch: (kind, ...rest) => metered('watch', kind, () => client.openWatch(kind, ...rest)),
  }
}
