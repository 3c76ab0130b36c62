import { systemClock as clock } from '../../src/kube/clock.ts'
import type { Port } from '../../src/kube/port.ts'
import { alone } from '../../src/runtime/alone.ts'
import { fenceWrites } from '../../src/runtime/fenced-port.ts'
import { Leadership } from '../../src/runtime/leadership.ts'
import type { OperatorOptions } from '../../src/runtime/operator.ts'
import { leaseTimes } from '../../src/runtime/term.ts'
import { sharedConnection } from './shared-control-plane.ts'

/** As whom an operator comes to the cluster, and when it works there. */
export interface Standing extends Pick<OperatorOptions, 'whenLeading'> {
  readonly connection: Port
  /** The same port, on which it writes only when it may. */
  readonly fence: (port: Port) => Port
}

/** May do everything, and has no rivals. */
export const asAdmin = (connection = sharedConnection().port): Standing => ({
  connection,
  fence: (port) => port,
  whenLeading: alone,
})

/** One of those that contend for the Lease of this namespace, on the real clock: a renewal must not wait for a test to turn another. */
export const asContender = (connection: Port, namespace: string): Standing => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const leadership = new Leadership({ port: connection, clock, log, lease: { namespace, name: 'holdfast' } })
  return {
    connection,
    fence: (port) => fenceWrites(port, leadership, { clock, time: leaseTimes.write }),
    whenLeading: (lead, stop) => leadership.run(lead, stop),
  }
}
