import type { Clock } from '../kube/clock.ts'
import type { Credentials } from '../kube/credentials.ts'
import type { Port } from '../kube/port.ts'
import { connect } from '../kube/wire.ts'
import { fenceWrites } from '../runtime/fenced-port.ts'
import { Leadership } from '../runtime/leadership.ts'
import type { Log } from '../runtime/log.ts'
import type { OperatorOptions } from '../runtime/operator.ts'
import { leaseTimes } from '../runtime/term.ts'

/** What the operator needs to be one of several of which one works. */
interface Election extends Pick<OperatorOptions, 'whenLeading' | 'instance'> {
  /** The same port, on which only a leader writes. */
  readonly fence: (port: Port) => Port
  close(): Promise<void>
}

interface Contest {
  readonly clock: Clock
  readonly log: Log
  readonly namespace: string
}

/** Contends with the other processes of this namespace. */
export const contend = (credentials: Credentials, { clock, log, namespace }: Contest): Election => {
  // Connections of its own: a renewal must not queue behind slow calls.
  const port = connect(credentials)
  const leadership = new Leadership({ port, clock, log, lease: { namespace, name: 'holdfast' } })
  return {
    instance: leadership.identity,
    whenLeading: (lead, stop) => leadership.run(lead, stop),
    fence: (fenced) => fenceWrites(fenced, leadership, { clock, time: leaseTimes.write }),
    close: () => port.close(),
  }
}
