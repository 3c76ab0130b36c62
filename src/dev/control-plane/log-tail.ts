import { readFile } from 'node:fs/promises'

// Kubernetes logs errors as "E0131 …" or "F0131 …" and flag mistakes as "Error: …"; etcd writes JSON with a level.
const matters = /^[EF]\d{4} |^Error:|"level":"(error|fatal|panic)"|^panic:/

/** The last lines of a log that tell why a program ended: its errors, or whatever came last. */
export const readLogTail = async (file: string): Promise<string> => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => matters.test(line))
  return (errors.length > 0 ? errors : lines).slice(-4).join('\n')
}
