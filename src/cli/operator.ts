import { hostname } from 'node:os'
import { pino } from 'pino'
import { operatorNamespace } from '../config.ts'
import { ledgerClusterAgentController } from '../controllers/ledgerclusteragent/controller.ts'
import { systemClock } from '../kube/clock.ts'
import { readKubeconfig } from '../kube/kubeconfig.ts'
import { connect } from '../kube/wire.ts'
import { alone } from '../runtime/alone.ts'
import { noMeter } from '../runtime/meter.ts'
import { startOperator } from '../runtime/operator.ts'
import { untilAskedToStop } from './stop-signals.ts'

/** Runs the controllers until it is asked to stop. */
export const runOperator = async (kubeconfig: string): Promise<void> => {
  const namespace = operatorNamespace()
  const log = pino({ base: null })
  const port = connect(readKubeconfig(kubeconfig))
  try {
    const controller = ledgerClusterAgentController(namespace)
    const operator = await startOperator({
      port,
      clock: systemClock,
      log,
      controllers: [controller],
      scope: { own: namespace, watched: 'all' },
      instance: hostname(),
      meter: noMeter,
      whenLeading: alone,
    })
    const asked = untilAskedToStop()
    log.info({ namespace }, 'ready')
    log.info({ signal: await asked }, 'stopping')
    await operator.stop()
  } finally {
    await port.close()
  }
}
