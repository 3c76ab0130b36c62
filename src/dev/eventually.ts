import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks until there is an answer other than undefined or false; fails with the question when the deadline has passed.
 * A question that is a function can say how things stand by then.
 */
export const eventually = async <T>(
  question: string | (() => string),
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 45_000,
): Promise<T> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${typeof question === 'string' ? question : question()}`)
    await pause(5)
  }
}
