import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ConnectionError, type WireRequest } from '../../src/kube/port.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import type { Interception } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'
import type { Suite } from '../kit/suite.ts'
import { cutReply, expiredLine, type Mishaps, refuse } from './mishaps.ts'

export const writeFaults = [
  'kill before',
  'kill after',
  'arrive late',
  'cut the reply',
  'cut the reply, hold Secret lines',
  'refuse 500',
  'refuse 409',
  'refuse 429',
  'foreign write first',
  'hold Secret lines',
  'hold Namespace lines',
  'hold agent lines',
  'cut the watches',
  'expire the watches',
  'expire the watches, refuse the next',
  'mute the watches',
] as const

/** The operator is killed, and the next one cannot see anything at its first try. */
export const startFaults = ['start into 500', 'start into cuts', 'start into 410'] as const
export const readFaults = ['read fails'] as const

/** Whether every watch must be opened again after it. */
export const endsWatches = (fault: Fault): boolean => /watches|^start/.test(fault)

export type Fault = (typeof writeFaults)[number] | (typeof startFaults)[number] | (typeof readFaults)[number]

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
    'refuse 500': () => refuse(500, wire.body),
    'refuse 409': () => refuse(409, wire.body),
    'refuse 429': () => refuse(429, wire.body),
    'foreign write first': before(() => touch(disturbed)),
    'hold Secret lines': before(() => suite.gate.hold(Secret.plural)),
    'hold Namespace lines': before(() => suite.gate.hold(Namespace.plural)),
    'hold agent lines': before(() => suite.gate.hold(LedgerClusterAgent.plural)),
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

/** Somebody changes the object that is about to be written, or the agent when there is none yet. */
const touch = async ({ suite, described }: Disturbed): Promise<void> => {
  const { verb, namespace, name, plural } = described
  const change = { metadata: { annotations: { [foreignAnnotation]: 'yes' } } }
  const isOnSecret = plural === Secret.plural && verb !== 'create'
  if (isOnSecret) await suite.user.patch(Secret, { namespace, name: name ?? '' }, change)
  else await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, change)
}
