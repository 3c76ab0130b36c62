import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../command-failure.ts'

/** Asks a person, on stderr: stdout is for what the command was called for. */
const ask = async (question: string): Promise<string> => {
  const questions = createInterface({ input: process.stdin, output: process.stderr })
  const gone = new Promise<never>((_, reject) => {
    questions.once('close', () => reject(new CommandFailure('error', 'nothing was done')))
  })
  try {
    return (await Promise.race([questions.question(question), gone])).trim()
  } finally {
    questions.close()
    // The end of the conversation is no failure of it.
    gone.catch(() => undefined)
  }
}

/** Asks until the answer is a name. */
export const askName = async (question: string): Promise<string> => {
  for (;;) {
    const answer = await ask(`${question} `)
    if (answer !== '') return answer
  }
}

/** Returns when the answer is yes; every other answer ends the command. */
export const askForConsent = async (question: string): Promise<void> => {
  const answer = await ask(`${question} [y/N] `)
  if (!/^y(?:es)?$/i.test(answer)) throw new CommandFailure('error', 'nothing was done')
}

/** Asks until one of these is named, by its number or by itself. */
export const askWhich = async (question: string, names: readonly string[]): Promise<string> => {
  process.stderr.write(names.map((name, index) => `${String(index + 1).padStart(3)}  ${name}\n`).join(''))
  for (;;) {
    const answer = await ask(`${question} `)
    const named = names.find((name, index) => answer === name || answer === String(index + 1))
    if (named !== undefined) return named
  }
}
