import { kubeconfigFiles } from '../../config.ts'
import { systemClock } from '../../kube/clock.ts'
import { readKubeconfigs } from '../../kube/kubeconfig.ts'
import { connect } from '../../kube/wire.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { ComparisonFailed } from '../failure.ts'
import { checkInstallation, type CheckReport } from './check.ts'
import { printDocuments } from './documents.ts'
import { type Installation, renderInstallation } from './installation.ts'

// A chart that created the CRDs stays the manager of their fields, and an apply of ours would be refused as a conflict.
const howToApply = `# holdfast install | kubectl apply --server-side -f -
# Add --force-conflicts where Helm or another tool created these CustomResourceDefinitions: it owns their fields.
`

/** Prints everything that an installation is made of. */
export const printInstallation = (installation: Installation): void => {
  process.stdout.write(`${howToApply}${printDocuments(renderInstallation(installation))}`)
}

/** Says what installing would change in the cluster, and whether that would take something away. */
export const runCheck = async (installation: Installation, kubeconfig: string | undefined): Promise<ExitCode> => {
  const report = await askCluster(installation, kubeconfig).catch((cause: unknown) => {
    throw new ComparisonFailed(cause)
  })
  process.stdout.write(report.differences.map((line) => `${line}\n`).join(''))
  if (report.narrowings.length > 0) process.stderr.write(printNarrowings(report.narrowings))
  return exitCodeOf(report)
}

const askCluster = async (installation: Installation, kubeconfig: string | undefined): Promise<CheckReport> => {
  const port = connect(readKubeconfigs(kubeconfigFiles(kubeconfig), {}, systemClock))
  try {
    return await checkInstallation(port, renderInstallation(installation), AbortSignal.timeout(60_000))
  } finally {
    await port.close()
  }
}

const printNarrowings = (narrowings: readonly string[]): string =>
  [
    'holdfast: do not install this version: its kinds are narrower than the installed ones, and stored objects may lose fields or become invalid',
    ...narrowings.map((line) => `  ${line}`),
    'See to it that no object uses these any more, or keep the installed CRDs.\n',
  ].join('\n')

/** @internal */
export const exitCodeOf = ({ differences, narrowings }: CheckReport): ExitCode => {
  if (narrowings.length > 0) return exitCodes.narrows
  return differences.length > 0 ? exitCodes.differs : exitCodes.ok
}
