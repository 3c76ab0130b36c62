import { type ExitCode, exitCodes } from './exit-codes.ts'

/** Why a command could not do its work: a sentence for the person who called it, and a code for their scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode

  constructor(why: keyof typeof exitCodes, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'CommandFailure'
    this.exitCode = exitCodes[why]
  }
}
