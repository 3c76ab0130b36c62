/** Where the runtime says what happens. pino's logger is one. */
export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** What an error may be logged as: its own sentence, never its cause, which may hold what was sent. */
export const printError = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error')
