import { pino } from 'pino'
import { apiServerOfPod, operatorNamespace } from '../config.ts'
import { ledgerClusterAgentController } from '../controllers/ledgerclusteragent/controller.ts'
import { systemClock } from '../kube/clock.ts'
import { inClusterCredentials } from '../kube/in-cluster.ts'
import { readKubeconfig } from '../kube/kubeconfig.ts'
import { connect } from '../kube/wire.ts'
import { startOperator } from '../runtime/operator.ts'
import { untilAskedToStop } from './stop-signals.ts'

/**
 * Runs the controllers until it is asked to stop. It uses the kubeconfig that it is given or the credentials of its pod,
 * and never what else lies about: whoever starts an operator by hand shall say where.
 */
export const runOperator = async (kubeconfig: string | undefined): Promise<void> => {
  const namespace = operatorNamespace()
  const log = pino({ base: null })
  const port = connect(
    kubeconfig === undefined
      ? inClusterCredentials(apiServerOfPod(), systemClock)
      : readKubeconfig(kubeconfig, systemClock),
  )
  try {
    const controller = ledgerClusterAgentController(namespace)
    const operator = await startOperator({ port, clock: systemClock, log, controller })
    const asked = untilAskedToStop()
    log.info({ namespace }, 'ready')
    log.info({ signal: await asked }, 'stopping')
    await operator.stop()
  } finally {
    await port.close()
  }
}
