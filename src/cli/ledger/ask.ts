import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../command-failure.ts'

/**
 * Asks a person until the answer means something. On stderr: stdout is for what the command was called for. Without line
 * editing, so that Ctrl-C ends the program as it ends every other.
 */
const ask = async <T>(question: string, meaningOf: (answer: string) => T | undefined): Promise<T> => {
  const conversation = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const isOver = new Promise<never>((_, reject) => {
    conversation.once('close', () => reject(new CommandFailure('error', 'there was no answer: nothing was done')))
  })
  // The end of an answered question is nobody's failure.
  isOver.catch(() => undefined)
  try {
    for (;;) {
      const answer = await Promise.race([conversation.question(`${question} `), isOver])
      const meaning = meaningOf(answer.trim())
      if (meaning !== undefined) return meaning
    }
  } finally {
    conversation.close()
  }
}

export const askName = (question: string): Promise<string> =>
  ask(question, (answer) => (answer === '' ? undefined : answer))

/** Returns when the answer is yes; every other answer ends the command. */
export const askForConsent = async (question: string): Promise<void> => {
  const isGiven = await ask(`${question} [y/N]`, (answer) => /^y(?:es)?$/i.test(answer))
  if (!isGiven) throw new CommandFailure('error', 'nothing was done')
}

/** Asks for one of these, by its number or by itself. */
export const askWhich = (question: string, names: readonly string[]): Promise<string> => {
  process.stderr.write(names.map((name, index) => `${String(index + 1).padStart(3)}  ${name}\n`).join(''))
  return ask(question, (answer) => names.find((name, index) => answer === name || answer === String(index + 1)))
}
