import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { readAuthority, readToken } from './credential-files.ts'
import { composeCredentials, type Credentials } from './credentials.ts'
import { reread } from './source.ts'

// Where Kubernetes mounts a pod's service account.
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The credentials of the pod that we run in. Kubernetes replaces token and CA while we run. */
export const inClusterCredentials = (
  { host, port }: { readonly host: string; readonly port: string },
  clock: Clock,
  directory = serviceAccountDirectory,
): Credentials =>
  composeCredentials({
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: reread(clock, () => readAuthority(join(directory, 'ca.crt'))),
    proofs: [reread(clock, () => readToken(join(directory, 'token')))],
  })
