import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ChildOptions {
  readonly args?: Readonly<Record<string, string | number>>
  /** Arguments without a name. */
  readonly plain?: readonly string[]
  readonly node?: readonly string[]
  readonly signal: AbortSignal
}

/** Starts one of our programs in a process of its own. */
export const startChild = (program: URL, { args = {}, plain = [], node = [], signal }: ChildOptions): ChildProcess => {
  const flags = Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)])
  const execArgv = [...node]
  return fork(fileURLToPath(program), [...flags, ...plain], { execArgv, signal, killSignal: 'SIGKILL' })
}

/** The next message of a child; fails when it ends without one. */
export const messageOf = async <T>(child: ChildProcess): Promise<T> => {
  const settled = new AbortController()
  const { signal } = settled
  try {
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${String(code)} and told nothing`)
    })
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T]
    return message
  } finally {
    settled.abort()
  }
}

/** Runs a program in a fresh process, and returns the one thing that it tells. */
export const runChild = async <T>(program: URL, options: ChildOptions): Promise<T> => {
  const child = startChild(program, options)
  const ended = once(child, 'exit')
  try {
    return await messageOf<T>(child)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
