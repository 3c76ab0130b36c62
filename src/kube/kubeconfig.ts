import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import { composeCredentials, type Credentials } from './credentials.ts'
import { clusterOf } from './kubeconfig-cluster.ts'
import { parseFields } from './kubeconfig-fields.ts'
import { type Entries, type Entry, type Kubeconfig, readKubeconfigFile } from './kubeconfig-file.ts'
import { mergeKubeconfigs } from './kubeconfig-merge.ts'
import { anonymous, userOf } from './kubeconfig-user.ts'

/** What of a kubeconfig to use, where it is not what the file itself says. */
export interface Choice {
  readonly context?: string | undefined
  readonly cluster?: string | undefined
  readonly user?: string | undefined
}

/** The credentials of one kubeconfig's current context. */
export const readKubeconfig = (file: string, clock: Clock): Credentials =>
  credentialsIn(readKubeconfigFile(file), file, {}, clock)

/** The credentials in all these kubeconfigs together, as kubectl merges them; files that are not there are skipped. */
export const readKubeconfigs = (files: readonly string[], choice: Choice, clock: Clock): Credentials => {
  const present = files.filter((file) => existsSync(file))
  if (present.length === 0) throw new Error(`there is no kubeconfig: looked for ${files.join(', ') || 'none'}`)
  return credentialsIn(mergeKubeconfigs(present.map(readKubeconfigFile)), present.join(', '), choice, clock)
}

// A context's namespace and extensions are for those who type commands.
const contextFields = z.looseObject({ cluster: z.string().optional(), user: z.string().optional() })

const credentialsIn = (config: Kubeconfig, file: string, choice: Choice, clock: Clock): Credentials => {
  const unusable = (why: string) => new Error(`cannot use kubeconfig ${file}: ${why}`)
  const find = (what: string, entries: Entries, name: string): Entry => {
    const found = entries.get(name)
    if (found === undefined) throw unusable(`it has no ${what} "${name}"`)
    return found
  }
  const contextName = choice.context ?? config.currentContext
  const context =
    contextName === undefined
      ? {}
      : parseFields(contextFields, find('context', config.contexts, contextName), 'context')
  const { cluster: clusterName = context.cluster, user: userName = context.user } = choice
  if (clusterName === undefined) {
    throw unusable(contextName === undefined ? 'it has no current-context' : `context "${contextName}" has no cluster`)
  }
  const cluster = clusterOf(find('cluster', config.clusters, clusterName), clock)
  const user = userName === undefined ? anonymous : userOf(find('user', config.users, userName), cluster, clock)
  const { server, servername, ca } = cluster
  return composeCredentials({ server, servername, ca, ...user })
}
