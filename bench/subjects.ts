import { fileURLToPath } from 'node:url'
import { nodeEnvironment, nodeFlags } from '../tools/node-settings.ts'
import { type CaseName, namespaceOf, prepare, runCases } from './cases.ts'
import type { Driver } from './driver.ts'
import { type Command, startProgram } from './program.ts'
import { usageOf } from './usage.ts'

export interface Setting {
  readonly driver: Driver
  /** How many agents, or how many namespaces of the one agent. */
  readonly size: number
  readonly kubeconfig: string
  /** The bundled program. */
  readonly bundle: string
  readonly say: (line: string) => void
}

export interface Times {
  readonly seconds: number
  readonly cpuSeconds: number | undefined
  readonly residentMegabytes: number | undefined
}

const commands = {
  operator: ({ bundle, kubeconfig }) => {
    const flags = ['--no-leader-election', '--http-port', '0', '--kubeconfig', kubeconfig]
    return { args: [...nodeFlags, bundle, 'operator', ...flags], env: nodeEnvironment }
  },
  bare: ({ kubeconfig }) => ({
    args: [fileURLToPath(new URL('./bare-client.ts', import.meta.url)), '--kubeconfig', kubeconfig],
    env: {},
  }),
} as const satisfies Record<string, (setting: Setting) => Command>

/** Runs all cases against a fresh process of the subject. */
export const timeSubject = async (
  subject: keyof typeof commands,
  setting: Setting,
  run: string,
): Promise<Record<CaseName, Times>> => {
  const { driver, size, say } = setting
  await prepare(driver, run, size)
  await using program = await startProgram(commands[subject](setting), namespaceOf(run), driver.signal)
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
