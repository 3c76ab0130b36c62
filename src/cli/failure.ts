import { isApiError } from '../kube/api-error.ts'
import { CommandFailure } from './command-failure.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** A comparison that could not be made. */
export class ComparisonFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ComparisonFailed'
  }
}

/** How a command ends that could not do its work. */
export const exitCodeOf = (error: unknown): ExitCode => {
  if (error instanceof CommandFailure) return error.exitCode
  const cause = error instanceof ComparisonFailed ? error.cause : error
  if (isApiError(cause, 'gone')) return exitCodes.notFound
  if (isApiError(cause, 'refused') && cause.status === 403) return exitCodes.forbidden
  return cause === error ? exitCodes.error : exitCodes.trouble
}
