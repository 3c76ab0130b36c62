/** A failure that no repetition cures: only a change of the object, or of the program, can. */
export class TerminalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
  }
}
