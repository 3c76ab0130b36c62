import ora from 'ora'
import { paint } from './paint.ts'

/** Tells step by step what a command does: with a spinner on a terminal, in plain lines elsewhere. */
export interface Progress {
  /** Runs a step; its result is a few words on what it made. */
  step<T>(title: string, work: (say: (line: string) => void) => Promise<T>, resultOf: (made: T) => string): Promise<T>
  say(line: string): void
}

export const showProgress = (output: NodeJS.WriteStream = process.stderr): Progress => ({
  async step(title, work, resultOf) {
    const started = performance.now()
    const spinner = ora({ text: title, stream: output, isEnabled: output.isTTY, isSilent: !output.isTTY }).start()
    const say = (line: string) => {
      if (output.isTTY) spinner.text = `${title}: ${line}`
      else output.write(`  ${line}\n`)
    }
    try {
      const made = await work(say)
      spinner.stop()
      const elapsed = `${((performance.now() - started) / 1000).toFixed(1)} s`
      output.write(
        `${paint(output, 'green', '✔')} ${title.padEnd(15)} ${resultOf(made)}  ${paint(output, 'dim', elapsed)}\n`,
      )
      return made
    } catch (error) {
      spinner.stop()
      output.write(`${paint(output, 'red', '✘')} ${title}\n`)
      throw error
    }
  },
  say: (line) => output.write(`${line}\n`),
})
