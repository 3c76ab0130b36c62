import { type ApiError, isApiError } from '../../kube/api-error.ts'
import { CommandFailure } from '../command-failure.ts'
import { ComparisonFailed } from '../failure.ts'

/** Why there is no plan, with what to do about it where that is known. */
export const explained = (cause: unknown): Error => {
  if (cause instanceof CommandFailure) return cause
  return isApiError(cause) ? explainedRefusal(cause) : new ComparisonFailed(cause)
}

const explainedRefusal = (cause: ApiError): Error => {
  const { message, status, asked } = cause
  const { plural, group } = asked.kind
  if (status === 401) {
    const how = 'renew your credentials, or name others with --kubeconfig or --context'
    return new CommandFailure('forbidden', `${message}: ${how}`, cause)
  }
  if (status === 403) {
    const how = `ask for the right to ${asked.verb} ${group === '' ? plural : `${plural}.${group}`} (docs/plan.md)`
    return new CommandFailure('forbidden', `${message}: ${how}`, cause)
  }
  const how = cause.class === 'unreachable' ? 'check --kubeconfig and --context, or try again' : 'try again'
  return new CommandFailure('trouble', `${message}: ${how}`, cause)
}
