import { hostname } from 'node:os'
import { pino } from 'pino'
import { apiServerOfPod, operatorNamespace } from '../config.ts'
import { allControllers } from '../controllers/all.ts'
import { systemClock as clock } from '../kube/clock.ts'
import type { Credentials } from '../kube/credentials.ts'
import { inClusterCredentials } from '../kube/in-cluster.ts'
import { readKubeconfig } from '../kube/kubeconfig.ts'
import type { Port } from '../kube/port.ts'
import { connect } from '../kube/wire.ts'
import { alone } from '../runtime/alone.ts'
import { noMeter } from '../runtime/meter.ts'
import { startOperator } from '../runtime/operator.ts'
import { contend } from './election.ts'
import { untilAskedToStop } from './stop-signals.ts'

interface Options {
  readonly kubeconfig?: string
  readonly watchNamespace?: readonly string[]
  readonly httpPort: number
  readonly leaderElection: boolean
}

/** Runs the controllers until it is asked to stop. */
export const runOperator = async ({ kubeconfig, watchNamespace, leaderElection }: Options): Promise<void> => {
  const namespace = operatorNamespace()
  const log = pino({ base: null })
  const credentials = credentialsOf(kubeconfig)
  await using started = new AsyncDisposableStack()
  const port = connect(credentials)
  started.defer(() => port.close())
  const election = leaderElection ? contend(credentials, { clock, log, namespace }) : noElection
  started.defer(() => election.close())
  const asked = untilAskedToStop()
  const operator = await startOperator({
    port: election.fence(port),
    clock,
    log,
    meter: noMeter,
    scope: { own: namespace, watched: watchNamespace ?? 'all' },
    controllers: allControllers(namespace),
    instance: election.instance,
    whenLeading: election.whenLeading,
  })
  log.info({ namespace }, 'ready')
  const end = await Promise.race([asked, operator.collapsed])
  if (end instanceof Error) throw end
  log.info({ signal: end }, 'stopping')
  await operator.stop()
}

/**
 * The kubeconfig that it is given or the credentials of its pod, and never what else lies about: whoever starts an
 * operator by hand shall say where.
 */
const credentialsOf = (kubeconfig: string | undefined): Credentials =>
  kubeconfig === undefined ? inClusterCredentials(apiServerOfPod(), clock) : readKubeconfig(kubeconfig, clock)

const noElection = {
  instance: hostname(),
  whenLeading: alone,
  fence: (port: Port) => port,
  close: () => Promise.resolve(),
}
