// usage: node bench/run.ts [BENCH…] [--agents N] [--repeat N] [--minutes N]
import { parseArgs } from 'node:util'
import { untilAskedToStop } from '../src/cli/stop-signals.ts'
import { type ControlPlane, startControlPlane } from '../src/dev/control-plane/control-plane.ts'
import type { Bench, Setting } from './bench.ts'
import { benchClient } from './client.ts'
import { benchForeign } from './foreign.ts'
import { benchOperator } from './operator.ts'
import { printMachine } from './print.ts'
import { benchSoak } from './soak.ts'
import { benchStart } from './start.ts'
import { benchSync } from './sync.ts'
import { benchWatch } from './watch.ts'

const benches: Readonly<Record<string, Bench>> = {
  operator: benchOperator,
  foreign: benchForeign,
  client: benchClient,
  sync: benchSync,
  watch: benchWatch,
  start: benchStart,
  soak: benchSoak,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    agents: { type: 'string', default: '300' },
    repeat: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
  },
})

const stopping = new AbortController()
void untilAskedToStop().then((signal) => stopping.abort(new Error(`stopped by ${signal}`)))

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const numberOf = (option: keyof typeof values): number => {
  const number = Number(values[option])
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} must be a whole number above 0`)
  return number
}

const chosen = (): readonly (readonly [string, Bench])[] =>
  (positionals.length === 0 ? Object.keys(benches) : positionals).map((name) => {
    const bench = benches[name]
    if (bench === undefined) throw new Error(`no bench ${name}; there are: ${Object.keys(benches).join(', ')}`)
    return [name, bench]
  })

const main = async (): Promise<void> => {
  const [agents, rounds, minutes] = [numberOf('agents'), numberOf('repeat'), numberOf('minutes')]
  await using started = new AsyncDisposableStack()
  let plane: Promise<ControlPlane> | undefined
  const start = async () => {
    const controlPlane = started.use(await startControlPlane({ controllerManager: false, say }))
    process.stdout.write(`Kubernetes ${controlPlane.version} and etcd on the same machine\n`)
    return controlPlane
  }
  const setting: Setting = {
    controlPlane: () => (plane ??= start()),
    signal: stopping.signal,
    say,
    rounds,
    agents,
    minutes,
  }
  process.stdout.write(`${printMachine()}\n`)
  for (const [name, bench] of chosen()) {
    const { tables, faults = [] } = await bench(setting)
    process.stdout.write(`\n${name}\n\n${tables.join('\n\n')}\n`)
    for (const fault of faults) say(`bench: ${name}: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
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
