import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** How a program is started. */
export interface Command {
  /** For Node: its flags, the file, and the program's own arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A subject in a process of its own. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  /** Rejects when it ends. */
  readonly ended: Promise<never>
  /** What it warned of. */
  readonly complaints: readonly string[]
}

const pinoWarn = 40

/** Resolves when the program says that it is watching. Ends it when the signal is raised, and outright: it has nothing to save. */
export const startProgram = async (
  { args, env }: Command,
  namespace: string,
  signal: AbortSignal,
): Promise<Program> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, POD_NAMESPACE: namespace },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  })
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, killedBy) => reject(new Error(`${args.join(' ')} ended with ${code ?? killedBy ?? ''}`)))
    child.once('error', reject)
  })
  const complaints: string[] = []
  const watching = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string }
      if (level >= pinoWarn) complaints.push(msg)
      if (msg === 'ready') resolve()
    })
  })
  await Promise.race([watching, ended])
  return {
    pid: child.pid ?? 0,
    ended,
    complaints,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
