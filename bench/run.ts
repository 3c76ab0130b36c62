// usage: node bench/run.ts [--agents N] [--repeat N]
import { parseArgs } from 'node:util'
import { untilAskedToStop } from '../src/cli/stop-signals.ts'
import { startControlPlane } from '../src/dev/control-plane/control-plane.ts'
import { installCrds } from '../src/dev/install-crds.ts'
import { countRequests } from './count-requests.ts'
import { connectDriver } from './driver.ts'
import { printMachine, printRequests, printTimes } from './print.ts'
import { type Setting, timeSubject } from './subjects.ts'

const { values } = parseArgs({
  options: { agents: { type: 'string', default: '300' }, repeat: { type: 'string', default: '3' } },
})

const stopping = new AbortController()
void untilAskedToStop().then((signal) => stopping.abort(new Error(`stopped by ${signal}`)))

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const numberOf = (option: 'agents' | 'repeat'): number => {
  const number = Number(values[option])
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} must be a whole number above 0`)
  return number
}

const measure = async (setting: Setting, repeat: number) => {
  const times = { operator: [], bare: [] } as Record<'operator' | 'bare', Awaited<ReturnType<typeof timeSubject>>[]>
  for (let n = 1; n <= repeat; n += 1) {
    // Turn about, so that neither always finds the fuller etcd.
    for (const subject of n % 2 === 1 ? (['operator', 'bare'] as const) : (['bare', 'operator'] as const)) {
      say(`repetition ${n} of ${repeat}: ${subject}`)
      times[subject].push(await timeSubject(subject, setting, `${subject}-${n}`))
    }
  }
  say('counting the operator’s requests')
  return { ...times, requests: await countRequests(setting) }
}

const main = async (): Promise<void> => {
  const [size, repeat] = [numberOf('agents'), numberOf('repeat')]
  await using controlPlane = await startControlPlane({ controllerManager: false, say })
  await using driver = connectDriver(controlPlane.kubeconfig, stopping.signal)
  await installCrds(driver.client)
  await driver.watch()
  const machine = printMachine(controlPlane.version)
  const measured = await measure({ driver, size, kubeconfig: controlPlane.kubeconfig, say }, repeat)
  const tables = [machine, printTimes(measured, { size, repeat }), printRequests(measured.requests)]
  process.stdout.write(`${tables.join('\n\n')}\n`)
}

try {
  await main()
} catch (error) {
  const cause: unknown = stopping.signal.aborted ? stopping.signal.reason : error
  say(`bench: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exitCode = 1
} finally {
  stopping.abort()
}
