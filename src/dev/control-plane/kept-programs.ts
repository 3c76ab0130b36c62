import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { KeeperOrder, KeeperReport, KeptProgram } from './keeper-messages.ts'

export interface KeptPrograms {
  run(program: KeptProgram): void
  /** The first program that ended before `stop` was called. */
  readonly firstEnd: Promise<KeeperReport>
  /** Ends every program and removes the directory. Safe to call more than once. */
  stop(): Promise<void>
}

// A program and not an import: a source beside the sources, a bundle beside the bundle.
const keeperFile = fileURLToPath(new URL(`./keeper${extname(import.meta.url)}`, import.meta.url))

/** Programs that end, with `directory` removed, when this process does, however it does. */
export const keepPrograms = (directory: string): KeptPrograms => {
  const keeper = spawn(process.execPath, [keeperFile], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(keeper, 'exit')
  // A keeper that is gone, or never came, shows to whoever stops it; until then it must not crash the process, nor must
  // writing to it.
  exited.catch(() => undefined)
  keeper.stdin.on('error', () => undefined)
  const order = (message: KeeperOrder): void => void keeper.stdin.write(`${JSON.stringify(message)}\n`)
  const firstEnd = new Promise<KeeperReport>((resolve) => {
    createInterface({ input: keeper.stdout }).on('line', (line) => resolve(JSON.parse(line) as KeeperReport))
    keeper.once('exit', () =>
      resolve({ ended: 'the process that keeps the programs', how: 'unexpectedly', code: null }),
    )
  })
  order({ remove: directory })
  return {
    run: (program) => order({ run: program }),
    firstEnd,
    stop: async () => {
      keeper.stdin.end()
      await exited
    },
  }
}
