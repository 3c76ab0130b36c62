import { kubeconfigFiles } from '../../config.ts'
import { type Client, createClient } from '../../kube/client.ts'
import { systemClock } from '../../kube/clock.ts'
import type { Credentials } from '../../kube/credentials.ts'
import { readKubeconfigs } from '../../kube/kubeconfig.ts'
import { connect } from '../../kube/wire.ts'
import { CommandFailure } from '../command-failure.ts'
import { explained } from '../explain.ts'

/** Which cluster, where it is not the one that kubectl would take. */
export interface Where {
  readonly kubeconfig?: string
  readonly context?: string
}

/** Does some work with a cluster, as the person who called. What the cluster refuses comes back as a sentence. */
export const withCluster = async <T>(
  where: Where,
  work: (client: Client) => Promise<T>,
  signal = new AbortController().signal,
): Promise<T> => {
  const port = connect(credentialsFor(where))
  try {
    return await work(createClient(port, signal))
  } catch (error) {
    throw explained(error)
  } finally {
    await port.close()
  }
}

const credentialsFor = ({ kubeconfig, context }: Where): Credentials => {
  try {
    return readKubeconfigs(kubeconfigFiles(kubeconfig), { context }, systemClock)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure('unreachable', `${why}: name a cluster with --kubeconfig and --context`, cause)
  }
}
