import { milliseconds, seconds } from '../pure/duration.ts'
import { isApiError } from './api-error.ts'
import { SilenceError } from './watch.ts'

export const isSilence = (error: unknown): boolean => isApiError(error) && error.cause instanceof SilenceError

/** The server does not know the question, or never begins to answer it. */
export const isNoAnswerToInitialEvents = (error: unknown): boolean =>
  isSilence(error) || (isApiError(error, 'refused') && (error.status === 400 || error.status === 422))

/** At least what the server asks for, else growing with each failure, and never the same for two watches. */
export const pauseAfter = (failures: number, error: unknown) => {
  const asked = isApiError(error) ? error.retryAfter : undefined
  const grown = Math.min(seconds(30), seconds(0.8) * 2 ** (failures - 1))
  return milliseconds((asked ?? 0) + grown * (0.5 + Math.random() / 2))
}
