import { isApiError } from '../kube/api-error.ts'
import type { Duration } from '../pure/duration.ts'
import { TerminalError } from '../pure/terminal-error.ts'

/** What comes of one pass for one key. */
export type Outcome =
  | { readonly is: 'done' }
  /** There is no such object. */
  | { readonly is: 'gone' }
  /** After this time, or at once. */
  | { readonly is: 'again'; readonly after: Duration | undefined }
  /** After a pause that grows. */
  | { readonly is: 'retry'; readonly error: unknown }
  /** Not before the object changes. */
  | { readonly is: 'terminal'; readonly error: unknown }

/** What the server cannot make sense of, it will not understand next time either. */
export const isTerminal = (error: unknown): boolean =>
  error instanceof TerminalError || (isApiError(error, 'refused') && error.status === 400)

export const isConflict = (error: unknown): boolean => isApiError(error, 'conflict')
