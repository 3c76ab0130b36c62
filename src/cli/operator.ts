import { hostname } from 'node:os'
import { pino } from 'pino'
import { apiServerOfPod, ledgerImage, operatorNamespace } from '../config.ts'
import { allControllers } from '../controllers/all.ts'
import { systemClock as clock } from '../kube/clock.ts'
import type { Credentials } from '../kube/credentials.ts'
import { inClusterCredentials } from '../kube/in-cluster.ts'
import type { Port } from '../kube/port.ts'
import { connect } from '../kube/wire.ts'
import { alone } from '../runtime/alone.ts'
import { healthOf } from '../runtime/health.ts'
import { printError } from '../runtime/log.ts'
import { Metrics } from '../runtime/metrics.ts'
import { Operator } from '../runtime/operator.ts'
import { serve } from '../runtime/serve.ts'
import { contend } from './election.ts'
import { untilAskedToStop } from './stop-signals.ts'

interface Options {
  readonly kubeconfig?: string
  readonly watchNamespace?: readonly string[]
  readonly adoptLabelled: boolean
  readonly without: readonly string[]
  readonly httpPort: number
  readonly httpAddress?: string
  readonly leaderElection: boolean
}

/** Runs the controllers until it is asked to stop. */
export const runOperator = async (options: Options): Promise<void> => {
  const {
    kubeconfig,
    watchNamespace,
    adoptLabelled: adoptsLabelled,
    without,
    leaderElection,
    httpPort,
    httpAddress,
  } = options
  const namespace = operatorNamespace()
  const log = pino({ base: null })
  const credentials = await credentialsOf(kubeconfig)
  await using started = new AsyncDisposableStack()
  const port = connect(credentials)
  started.defer(() => port.close())
  const election = leaderElection ? contend(credentials, { clock, log, namespace }) : noElection
  started.defer(() => election.close())
  const asked = untilAskedToStop()
  const controllers = allControllers(namespace, { adoptsLabelled, image: ledgerImage(), without })
  const metrics = new Metrics()
  const operator = new Operator({
    port: election.fence(port),
    clock,
    log,
    meter: metrics,
    scope: { own: namespace, watched: watchNamespace ?? 'all' },
    controllers,
    instance: election.instance,
    whenLeading: election.whenLeading,
  })
  // After a collapse too: what still runs would keep the process alive.
  started.defer(() => operator.abandon())
  metrics.show(
    operator,
    controllers.map(({ name }) => name),
  )
  const onTrouble = (error: unknown) => log.warn({}, printError(error))
  const served = await serve({ address: httpAddress, port: httpPort, health: healthOf(operator), metrics, onTrouble })
  started.defer(() => served.close())
  // A server that cannot be reached yet is waited for; who asks to stop meanwhile does not wait.
  const running = operator.start().then(() => {
    log.info({ namespace, http: served.address.port }, 'ready')
    return operator.collapsed
  })
  const end = await Promise.race([asked, operator.collapsed, running])
  if (end instanceof Error) throw end
  log.info({ signal: end }, 'stopping')
  await operator.stop()
}

/**
 * The kubeconfig that it is given or the credentials of its pod, and never what else lies about: whoever starts an
 * operator by hand shall say where.
 */
const credentialsOf = async (kubeconfig: string | undefined): Promise<Credentials> => {
  if (kubeconfig === undefined) return inClusterCredentials(apiServerOfPod(), clock)
  // A pod has no use for it, and starts quicker without.
  const { readKubeconfig } = await import('../kube/kubeconfig.ts')
  return readKubeconfig(kubeconfig, clock)
}

const noElection = {
  instance: hostname(),
  whenLeading: alone,
  fence: (port: Port) => port,
  close: () => Promise.resolve(),
}
