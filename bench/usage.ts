import { readFileSync } from 'node:fs'

export interface Usage {
  readonly cpuSeconds: number
  readonly residentMegabytes: number
}

// Linux tells times in ticks of 1/100 s on every platform that Node runs on (USER_HZ).
const ticksPerSecond = 100
const bytesPerPage = 4096

/** What a process has used so far; only Linux tells. */
export const usageOf = (pid: number): Usage | undefined => {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The fields after the program's name, which may hold blanks: from the third on (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  return {
    cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
    residentMegabytes: (field(24) * bytesPerPage) / 1e6,
  }
}
