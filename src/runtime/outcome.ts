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

/** No answer of the API server is: whatever refuses a write today, a policy or a quota, may be changed tomorrow. */
export const isTerminal = (error: unknown): boolean => error instanceof TerminalError

/** Another client was faster: it changed the object, or it deletes the namespace that the write was for. */
export const isConflict = (error: unknown): boolean => isApiError(error, 'conflict', 'terminating')

/** Whether the write failed because this key's own namespace is being deleted, and the object with it. */
export const isTerminatingWith = (key: string, error: unknown): boolean =>
  isApiError(error, 'terminating') && key.startsWith(`${error.asked.key?.namespace}/`)
