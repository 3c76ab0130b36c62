import { fileURLToPath } from 'node:url'
import { type CaseName, namespaceOf, prepare, runCases } from './cases.ts'
import type { Driver } from './driver.ts'
import { startProgram } from './program.ts'
import { usageOf } from './usage.ts'

export interface Setting {
  readonly driver: Driver
  /** How many agents, or how many namespaces of the one agent. */
  readonly size: number
  readonly kubeconfig: string
  readonly say: (line: string) => void
}

export interface Times {
  readonly seconds: number
  readonly cpuSeconds: number | undefined
  readonly residentMegabytes: number | undefined
}

const programs = {
  operator: [
    new URL('../src/cli/holdfast.ts', import.meta.url),
    'operator',
    '--no-leader-election',
    '--http-port',
    '0',
  ],
  bare: [new URL('./bare-client.ts', import.meta.url)],
} as const satisfies Record<string, readonly [URL, ...string[]]>

/** Runs all cases against a fresh process of the subject. */
export const timeSubject = async (
  subject: keyof typeof programs,
  { driver, size, kubeconfig, say }: Setting,
  run: string,
): Promise<Record<CaseName, Times>> => {
  await prepare(driver, run, size)
  const [file, ...args] = programs[subject]
  const command = [fileURLToPath(file), ...args, '--kubeconfig', kubeconfig]
  await using program = await startProgram(command, namespaceOf(run), driver.signal)
  const running = runCases(driver, run, size, async (work) => {
    const before = usageOf(program.pid)
    const started = performance.now()
    await work()
    const seconds = (performance.now() - started) / 1000
    const after = usageOf(program.pid)
    say(`  ${seconds.toFixed(2)} s`)
    return {
      seconds,
      cpuSeconds: before && after && after.cpuSeconds - before.cpuSeconds,
      residentMegabytes: after?.residentMegabytes,
    }
  })
  const times = await Promise.race([running, program.ended])
  for (const complaint of program.complaints) say(`  ${subject}: ${complaint}`)
  return times
}
