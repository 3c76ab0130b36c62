import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'

export interface ToolRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const installed = join(import.meta.dirname, '../../node_modules/.bin')

/** Runs a program of this repository's node_modules, whichever tree it looks at. A non-zero exit is an answer, not an error. */
export const runTool = (program: string, args: readonly string[], cwd: string): Promise<ToolRun> => {
  const PATH = `${installed}${delimiter}${process.env['PATH'] ?? ''}`
  // Colours would break what the gates parse, and CI keeps the tools from drawing progress bars.
  const env = { ...process.env, PATH, CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0' }
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code
      if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr })
      else reject(new Error(`cannot run ${program}: ${error?.message ?? 'killed'}`, { cause: error }))
    })
  })
}

/** For a tool that answered with something other than a verdict: bad configuration, a crash. */
export const toolBroke = (program: string, run: ToolRun): Error =>
  new Error(`${program} exited with ${run.exitCode} and no verdict:\n${run.stderr}${run.stdout}`)

export const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
