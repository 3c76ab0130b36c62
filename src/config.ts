import { existsSync, readFileSync } from 'node:fs'

// Where Kubernetes puts the namespace of a pod's service account.
const inPodNamespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace'

/** The namespace that the operator runs in, and keeps its keys in. */
export const operatorNamespace = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  inPodFile = inPodNamespaceFile,
): string => {
  const named = env['POD_NAMESPACE']?.trim()
  if (named !== undefined && named !== '') return named
  const mounted = existsSync(inPodFile) ? readFileSync(inPodFile, 'utf8').trim() : ''
  if (mounted !== '') return mounted
  throw new Error(
    'the operator does not know its namespace: set POD_NAMESPACE to the namespace that its keys shall live in',
  )
}
