import { CommandFailure } from '../command-failure.ts'
import { canAsk, consent, terminal } from './terminal.ts'

/** Whether to ask before it is done. Where somebody must be asked and nobody is there, nothing is done. */
export const consentTo = (what: string, yes: boolean): 'given' | 'ask' => {
  const given = consent(yes, terminal())
  if (given === 'refuse') throw new CommandFailure('usage', `there is nobody to ask: say --yes to ${what}`)
  return given
}

/** What cannot be undone is not done to an agent that nobody has named, nor picked, nor been shown. */
export const assertNamed = (name: string | undefined, yes: boolean, what: string): void => {
  if (name === undefined && (yes || !canAsk(terminal()))) throw new CommandFailure('usage', `say which ${what}`)
}
