import { kubeconfigFiles, ledgerImage } from '../../config.ts'
import { allControllers } from '../../controllers/all.ts'
import { createClient } from '../../kube/client.ts'
import { systemClock as clock } from '../../kube/clock.ts'
import { declaredClient } from '../../kube/declared-client.ts'
import { readKubeconfigs } from '../../kube/kubeconfig.ts'
import type { Port } from '../../kube/port.ts'
import { connect } from '../../kube/wire.ts'
import { foresee } from '../../runtime/foresee.ts'
import { readingRightsOf } from '../../runtime/rights.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { explainedPlan } from '../explain.ts'
import { paint } from '../paint.ts'
import { type AskedFor, askedForBy, isAskedFor } from './asked-for.ts'
import { documentOf, type PlanDocument } from './document.ts'
import { assertFound } from './found.ts'
import { findOperatorNamespace } from './operator-namespace.ts'
import { printPlan } from './print.ts'

export interface PlanOptions {
  readonly namespace?: string
  readonly operatorNamespace?: string
  readonly watchNamespace?: readonly string[]
  readonly without: readonly string[]
  readonly adoptLabelled: boolean
  readonly kubeconfig?: string
  readonly context?: string
  readonly output?: 'json'
}

/** Prints what the operator would do now, and tells by the exit code whether that is anything. */
export const runPlan = async (target: string | undefined, options: PlanOptions): Promise<ExitCode> => {
  const plan = await planCluster(target, options).catch((cause: unknown) => {
    throw explainedPlan(cause)
  })
  if (options.operatorNamespace === undefined)
    process.stderr.write(`planned as the operator in namespace ${plan.operatorNamespace}\n`)
  const { stdout } = process
  stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(plan, undefined, 2)}\n`
      : printPlan(plan, (style, text) => paint(stdout, style, text)),
  )
  return plan.summary.withChanges === 0 ? exitCodes.ok : exitCodes.changes
}

const planCluster = async (target: string | undefined, options: PlanOptions): Promise<PlanDocument> => {
  const asked = askedForBy(target, options.namespace, allControllers('', { without: options.without }))
  const port = connect(readKubeconfigs(kubeconfigFiles(options.kubeconfig), { context: options.context }, clock))
  try {
    return await planFor(asked, options, port)
  } finally {
    await port.close()
  }
}

const planFor = async (asked: AskedFor, options: PlanOptions, port: Port): Promise<PlanDocument> => {
  const watched = options.watchNamespace ?? ('all' as const)
  const settings = { adoptsLabelled: options.adoptLabelled, image: ledgerImage(), without: options.without }
  const controllersIn = (namespace: string) =>
    allControllers(namespace, settings).filter(
      ({ reconciles }) => asked.kind === undefined || reconciles === asked.kind,
    )
  const kinds = controllersIn('').map(({ reconciles }) => reconciles)
  const rights = readingRightsOf(controllersIn(''))
  const client = declaredClient(createClient(port, new AbortController().signal), rights, { own: '', watched })
  const own = options.operatorNamespace ?? (await findOperatorNamespace(asked, { client, kinds, watched }))
  const controllers = controllersIn(own)
  const scope = { own, watched }
  const outlook = await foresee({ port, clock, scope, controllers, isAskedFor: isAskedFor(asked) })
  assertFound(asked, outlook)
  return documentOf(outlook, own)
}
