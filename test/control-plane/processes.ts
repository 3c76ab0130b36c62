import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Command lines of running processes that mention `text`. */
export const processesMentioning = async (text: string): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').filter((line) => line.includes(text))
}
