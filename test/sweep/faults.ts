import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { ConnectionError, type WireRequest } from '../../src/kube/port.ts'
import { ConfigMap, Namespace, Secret, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import type { Interception } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'
import type { Suite } from '../kit/suite.ts'
import { cutReply, expiredLine, type Mishaps, refuse } from './mishaps.ts'

/** What a write may meet that depends on what is written. */
export const agentWriteFaults = [
  'kill before',
  'kill after',
  'arrive late',
  'cut the reply, hold Secret lines',
  'refuse 409',
  'foreign write first',
  'hold Secret lines',
  'hold Namespace lines',
  'hold agent lines',
] as const

/** What befalls a connection, and is the same whatever is written. */
export const connectionFaults = [
  'cut the reply',
  'refuse 500',
  'refuse 429',
  'cut the watches',
  'expire the watches',
  'expire the watches, refuse the next',
  'mute the watches',
] as const

export const writeFaults = [...agentWriteFaults, ...connectionFaults] as const

/** An event is a courtesy: nothing waits for it, and when it fails, it fails alone. */
export const eventFaults = ['kill before', 'kill after', 'cut the reply', 'refuse 500'] as const

/** What services list and load is written in these: each line that tells of it may be late, whoever it comes from. */
export const keyWriteFaults = [
  'kill before',
  'kill after',
  'arrive late',
  'cut the reply, hold key list lines',
  'refuse 409',
  'foreign write first',
  'hold Secret lines',
  'hold agent lines',
  'hold key list lines',
  'hold workload lines',
] as const

/** Any other write of a service's controller. */
export const serviceWriteFaults = ['kill before', 'kill after', 'arrive late', 'foreign write first'] as const

/** A write that services follow; all else that can befall it is in the sweep of agents. */
export const upstreamFaults = ['kill after', 'hold key list lines', 'hold workload lines'] as const

/** The operator is killed, and the next one cannot see anything at its first try. */
export const startFaults = ['start into 500', 'start into cuts', 'start into 410'] as const
export const readFaults = ['read fails'] as const

/** Whether every watch must be opened again after it. */
export const endsWatches = (fault: Fault): boolean => /watches|^start/.test(fault)

export type Fault =
  | (typeof writeFaults)[number]
  | (typeof keyWriteFaults)[number]
  | (typeof startFaults)[number]
  | (typeof readFaults)[number]

/** The call that a plan is about, and what a fault can do besides answering it. */
export interface Disturbed {
  readonly suite: Suite
  readonly wire: WireRequest
  readonly described: Described
  readonly mishaps: Mishaps
  /** Keeps the call until everything else is done, and sends it then. */
  readonly keepForLater: () => void
}

/** What happens to the call that a plan is about. */
export const interceptionOf = (fault: Fault, disturbed: Disturbed): Interception => {
  const { suite, wire, mishaps } = disturbed
  const killed: Interception = () => {
    suite.gate.kill()
    return Promise.reject(new ConnectionError('killed', { wasSent: false }))
  }
  const before =
    (happens: () => unknown, go: Interception = (pass) => pass()): Interception =>
    async (pass) => {
      await happens()
      return go(pass)
    }
  const after =
    (happens: () => void): Interception =>
    async (pass) => {
      const reply = await pass()
      happens()
      return reply
    }
  const expire = () => {
    mishaps.expire()
    suite.gate.endWatches(expiredLine)
  }
  const interceptions: Readonly<Record<Fault, Interception>> = {
    'kill before': killed,
    'kill after': after(() => suite.gate.kill()),
    'arrive late': before(disturbed.keepForLater, killed),
    'cut the reply': cutReply,
    'cut the reply, hold Secret lines': before(() => suite.gate.hold(Secret.plural), cutReply),
    'cut the reply, hold key list lines': before(() => suite.gate.hold(ConfigMap.plural), cutReply),
    'refuse 500': () => refuse(500, wire.body),
    'refuse 409': () => refuse(409, wire.body),
    'refuse 429': () => refuse(429, wire.body),
    'foreign write first': before(() => touch(disturbed)),
    'hold Secret lines': before(() => suite.gate.hold(Secret.plural)),
    'hold Namespace lines': before(() => suite.gate.hold(Namespace.plural)),
    'hold agent lines': before(() => suite.gate.hold(LedgerClusterAgent.plural)),
    'hold key list lines': before(() => suite.gate.hold(ConfigMap.plural)),
    'hold workload lines': before(() => suite.gate.hold(StatefulSet.plural)),
    'cut the watches': after(() => suite.gate.endWatches()),
    'expire the watches': after(expire),
    'expire the watches, refuse the next': after(() => {
      mishaps.begin(500, 429)
      expire()
    }),
    'mute the watches': before(() => {
      suite.gate.muteWatches()
      return touch(disturbed)
    }),
    'start into 500': before(() => mishaps.begin(500), killed),
    'start into cuts': before(() => mishaps.begin('cut'), killed),
    'start into 410': before(() => mishaps.begin(410), killed),
    'read fails': () => refuse(500, wire.body),
  }
  return interceptions[fault]
}

/** Where a foreign hand leaves its trace; it is no part of the end state. */
export const foreignAnnotation = 'example.com/touched'

const touchable = [Secret, LedgerService, ConfigMap, StatefulSet, Service, ServiceAccount]

/** Somebody changes the object that is about to be written, or the agent when there is none yet. */
const touch = async ({ suite, described }: Disturbed): Promise<void> => {
  const { verb, namespace, name, plural } = described
  const change = { metadata: { annotations: { [foreignAnnotation]: 'yes' } } }
  const kind = touchable.find((one) => one.plural === plural)
  if (kind !== undefined && verb !== 'create') await suite.user.patch(kind, { namespace, name: name ?? '' }, change)
  else await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, change)
}
