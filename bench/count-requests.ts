import { ledgerClusterAgentController } from '../src/controllers/ledgerclusteragent/controller.ts'
import { eventually } from '../src/dev/eventually.ts'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import type { Port } from '../src/kube/port.ts'
import { connect } from '../src/kube/wire.ts'
import { printError } from '../src/runtime/log.ts'
import { alone } from '../src/runtime/alone.ts'
import { noMeter } from '../src/runtime/meter.ts'
import { startOperator } from '../src/runtime/operator.ts'
import { describeRequest, isWrite } from '../test/kit/request.ts'
import { type CaseName, namespaceOf, prepare, runCases } from './cases.ts'
import type { Setting } from './subjects.ts'

export interface Requests {
  reads: number
  writes: number
  /** By `verb plural`. */
  readonly byVerb: Map<string, number>
}

/** Runs all cases once more with an operator in this process, whose requests are counted. Its times mean nothing. */
export const countRequests = async (setting: Setting): Promise<Record<CaseName, Requests>> => {
  const { driver, size, kubeconfig, say } = setting
  const run = 'counted'
  await prepare(driver, run, size)
  const wire = connect(readKubeconfig(kubeconfig, systemClock))
  let requests = noRequests()
  const port: Port = {
    call: (request, signal) => {
      count(requests, describeRequest(request))
      return wire.call(request, signal)
    },
    open: (request, signal) => wire.open(request, signal),
    close: () => wire.close(),
  }
  const warn = (_: object, message: string) => say(`  operator: ${message}`)
  const log = { info: () => undefined, warn, error: warn }
  const controller = ledgerClusterAgentController(namespaceOf(run))
  try {
    const operator = await startOperator({
      port,
      clock: systemClock,
      log,
      controllers: [controller],
      scope: { own: namespaceOf(run), watched: 'all' },
      instance: 'bench',
      meter: noMeter,
      whenLeading: alone,
    })
    const counted = await runCases(driver, run, size, async (work) => {
      requests = noRequests()
      await work()
      await eventually('the operator is quiet', () => operator.isQuiet)
      const counted = requests
      requests = noRequests()
      return counted
    })
    await operator.stop()
    return counted
  } catch (error) {
    throw new Error(`cannot count requests: ${printError(error)}`, { cause: error })
  } finally {
    await port.close()
  }
}

const noRequests = (): Requests => ({ reads: 0, writes: 0, byVerb: new Map() })

const count = (requests: Requests, described: ReturnType<typeof describeRequest>): void => {
  const what = `${described.verb} ${described.plural}`
  requests[isWrite(described) ? 'writes' : 'reads'] += 1
  requests.byVerb.set(what, (requests.byVerb.get(what) ?? 0) + 1)
}
