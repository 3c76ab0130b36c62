import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Answers } from './health-poller.ts'
import type { OperatorProcess } from './operator-process.ts'

const askedEveryMs = 50
// The process answers between two tasks of its event loop: what an answer takes is what the longest of them took.
const slowestUsualMs = 100
// A machine that is busy with other work may stop any process for a moment.
const slowestEverMs = 1_000
const usualShare = 0.95
// Of fewer answers, one that is slow by chance would count as usual.
const fewestAnswers = 40

/** Asks a process for its health all through an attack. */
export class HealthGuard {
  readonly #operator: OperatorProcess
  readonly #poller: Worker

  constructor(operator: OperatorProcess) {
    this.#operator = operator
    this.#poller = new Worker(new URL('./health-poller.ts', import.meta.url), {
      workerData: { url: operator.url, everyMs: askedEveryMs },
    })
  }

  /** Ends the questions, and says what was wrong with the answers; nothing when all were given in time. */
  async finish(): Promise<readonly string[]> {
    const answered = once(this.#poller, 'message') as Promise<[Answers]>
    this.#poller.postMessage('stop')
    const [{ operator, idle, failures }] = await answered
    await this.#poller.terminate()
    return [
      ...(this.#operator.isAlive ? [] : [`the process has ended:\n${this.#operator.lastLines}`]),
      ...(failures === 0 ? [] : [`${failures} of ${failures + operator.length} questions for its health failed`]),
      ...slowAnswers(operator, idle),
    ]
  }
}

const slowAnswers = (operator: readonly number[], idle: readonly number[]): readonly string[] => {
  const times = ascending(operator)
  const machine = ascending(idle)
  const [slowest, slowestOfIdle] = [times.at(-1) ?? 0, machine.at(-1) ?? 0]
  const [usual, usualOfIdle] = [usualOf(times), usualOf(machine)]
  return [
    ...(times.length < fewestAnswers || usual < slowestUsualMs + usualOfIdle
      ? []
      : [
          `one in twenty answers took ${Math.round(usual)} ms or more, of an idle server ${Math.round(usualOfIdle)} ms`,
        ]),
    ...(slowest < slowestEverMs + slowestOfIdle
      ? []
      : [`the slowest answer took ${Math.round(slowest)} ms, of an idle server ${Math.round(slowestOfIdle)} ms`]),
  ]
}

const ascending = (times: readonly number[]): readonly number[] => [...times].sort((a, b) => a - b)

const usualOf = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * usualShare)] ?? 0
