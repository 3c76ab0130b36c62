import { LedgerClusterAgent } from '../api/ledgerclusteragent.ts'
import { type ApiError, type Asked, isApiError } from '../kube/api-error.ts'
import { CommandFailure } from './command-failure.ts'
import { ComparisonFailed } from './failure.ts'

/** What the API server refused `kubectl ledger`, as a sentence that says what to do next. All else is left as it is. */
export const explained = (error: unknown): unknown => {
  if (!isApiError(error)) return error
  if (isNotInstalled(error)) {
    const how = 'install it with: holdfast install | kubectl apply --server-side -f -'
    return new CommandFailure('notInstalled', `the cluster does not know ${error.asked.kind.kind}s: ${how}`, error)
  }
  return denialOf(error) ?? troubleWithAgents(error)
}

/** Why there is no plan, with what to do about it where that is known. */
export const explainedPlan = (cause: unknown): Error => {
  if (cause instanceof CommandFailure) return cause
  if (!isApiError(cause)) return new ComparisonFailed(cause)
  const how = cause.class === 'unreachable' ? 'check --kubeconfig and --context, or try again' : 'try again'
  return denialOf(cause, ' (docs/plan.md)') ?? new CommandFailure('trouble', `${cause.message}: ${how}`, cause)
}

export const isForbidden = (error: unknown): boolean => isApiError(error, 'refused') && error.status === 403

/** Who is not known, or may not. `rightsIn` is where the rights are written down that the command needs. */
const denialOf = (error: ApiError, rightsIn = ''): CommandFailure | undefined => {
  const { asked, message, status } = error
  if (status === 401) {
    const how = 'renew your credentials, or name others with --kubeconfig or --context'
    return new CommandFailure('forbidden', `${message}: ${how}`, error)
  }
  if (isForbidden(error)) return new CommandFailure('forbidden', `${message}: ${askFor(asked)}${rightsIn}`, error)
  return undefined
}

const troubleWithAgents = (error: ApiError): CommandFailure => {
  const { asked, message } = error
  switch (error.class) {
    case 'unreachable': {
      const how = error.status === undefined ? 'check --kubeconfig and --context' : 'try again in a moment'
      return new CommandFailure('unreachable', `${message}: ${how}`, error)
    }
    case 'ambiguous':
      return new CommandFailure('unreachable', `${message}: it may have been done; look with: ${see(asked)}`, error)
    case 'conflict':
      return new CommandFailure('conflict', `${message}: look at what is there with: ${see(asked)}`, error)
    case 'gone':
      return new CommandFailure('notFound', `${message}: see what there is with: kubectl ledger agents list`, error)
    case 'throttled':
      return new CommandFailure('error', `${message}: try again in a moment`, error)
    case 'refused':
    case 'terminating':
      return new CommandFailure('error', message, error)
  }
}

/** For a kind that it does not serve, the server answers with a page instead of a status. */
const isNotInstalled = ({ asked, status, class: is }: ApiError): boolean =>
  asked.kind.plural === LedgerClusterAgent.plural && status === 404 && is !== 'gone'

const askFor = ({ verb, kind }: Asked): string => {
  const { plural, group } = kind
  const right = verb === 'apply' || verb === 'mark' ? 'patch' : verb
  return `ask for the right to ${right} ${group === '' ? plural : `${plural}.${group}`}`
}

const see = ({ key }: Asked): string => `kubectl ledger agents ${key === undefined ? 'list' : `get ${key.name}`}`
