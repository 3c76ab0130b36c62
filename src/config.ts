import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { usualLedgerImage } from './pure/names.ts'

type Environment = Readonly<Record<string, string | undefined>>

// Where Kubernetes puts the namespace of a pod's service account.
const inPodNamespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace'

/** The namespace that the operator runs in, and keeps its keys in. */
export const operatorNamespace = (env: Environment = process.env, inPodFile = inPodNamespaceFile): string => {
  const named = env['POD_NAMESPACE']?.trim()
  if (named !== undefined && named !== '') return named
  const mounted = existsSync(inPodFile) ? readFileSync(inPodFile, 'utf8').trim() : ''
  if (mounted !== '') return mounted
  throw new Error(
    'the operator does not know its namespace: set POD_NAMESPACE to the namespace that its keys shall live in',
  )
}

/** The image of a ledger whose service names none. */
export const ledgerImage = (env: Environment = process.env): { readonly repository: string; readonly tag: string } => ({
  repository: env['LEDGER_IMAGE_REPOSITORY']?.trim() || usualLedgerImage.repository,
  tag: env['LEDGER_IMAGE_TAG']?.trim() || usualLedgerImage.tag,
})

/** Where Kubernetes tells a pod that its API server is. */
export const apiServerOfPod = (env: Environment = process.env): { readonly host: string; readonly port: string } => {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env
  if (host !== '' && port !== '') return { host, port }
  throw new Error(
    'the operator does not run in a pod (KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set): name a cluster with --kubeconfig FILE',
  )
}

/** Where kubectl looks for kubeconfigs, and the commands for people too. The operator never searches. */
export const kubeconfigFiles = (
  flag: string | undefined,
  env: Environment = process.env,
  home = homedir(),
): readonly string[] => {
  if (flag !== undefined) return [flag]
  const listed = env['KUBECONFIG'] ?? ''
  if (listed === '') return [join(home, '.kube', 'config')]
  return [...new Set(listed.split(delimiter))].filter((file) => file !== '')
}
