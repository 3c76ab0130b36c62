import { setTimeout as pause } from 'node:timers/promises'

/** Asks until there is an answer other than undefined or false; fails with the question when the deadline has passed. */
export const eventually = async <T>(
  question: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 45_000,
): Promise<T> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${question}`)
    await pause(5)
  }
}
