import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ConnectionError, type WireReply } from '../../src/kube/port.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import type { Interception } from '../kit/gate.ts'
import { type Described, isWrite } from '../kit/request.ts'
import type { Suite } from '../kit/suite.ts'

export const writeFaults = [
  'kill before',
  'kill after',
  'cut the reply',
  'cut the reply, hold Secret lines',
  'refuse 500',
  'refuse 409',
  'refuse 429',
  'foreign write first',
  'hold Secret lines',
  'hold Namespace lines',
  'hold agent lines',
] as const
export const readFaults = ['read fails'] as const

export type Fault = (typeof writeFaults)[number] | (typeof readFaults)[number]

export const faultsFor = (described: Described): readonly Fault[] => (isWrite(described) ? writeFaults : readFaults)

/** Refused in the words of a server that quotes what it was sent. */
const refusing = (status: number, reason: string, message: string): Promise<WireReply> =>
  Promise.resolve({
    status,
    retryAfter: status === 429 ? 1 : undefined,
    body: JSON.stringify({ kind: 'Status', reason, code: status, message }),
  })

/** What happens to the call that a plan is about. */
export const interceptionOf = (fault: Fault, suite: Suite, described: Described, sent = ''): Interception => {
  const refuse = (status: number, reason: string) => refusing(status, reason, `invalid: ${sent}`)
  const holding =
    (plural: string): Interception =>
    (pass) => {
      suite.gate.hold(plural)
      return pass()
    }
  const interceptions: Readonly<Record<Fault, Interception>> = {
    'kill before': () => {
      suite.gate.kill()
      return Promise.reject(new ConnectionError('killed', { wasSent: false }))
    },
    'kill after': async (pass) => {
      const reply = await pass()
      suite.gate.kill()
      return reply
    },
    'cut the reply': async (pass) => {
      await pass()
      throw new ConnectionError('cut', { wasSent: true })
    },
    'cut the reply, hold Secret lines': async (pass) => {
      suite.gate.hold(Secret.plural)
      await pass()
      throw new ConnectionError('cut', { wasSent: true })
    },
    'refuse 500': () => refuse(500, 'InternalError'),
    'refuse 409': () => refuse(409, 'Conflict'),
    'refuse 429': () => refuse(429, 'TooManyRequests'),
    'foreign write first': async (pass) => {
      await touch(suite, described)
      return pass()
    },
    'hold Secret lines': holding(Secret.plural),
    'hold Namespace lines': holding(Namespace.plural),
    'hold agent lines': holding(LedgerClusterAgent.plural),
    'read fails': () => refuse(500, 'InternalError'),
  }
  return interceptions[fault]
}

/** Where a foreign hand leaves its trace; it is no part of the end state. */
export const foreignAnnotation = 'example.com/touched'

/** Somebody changes the object that is about to be written, or the agent when there is none yet. */
const touch = async (suite: Suite, { verb, namespace, name, plural }: Described): Promise<void> => {
  const change = { metadata: { annotations: { [foreignAnnotation]: 'yes' } } }
  const isOnSecret = plural === Secret.plural && verb !== 'create'
  if (isOnSecret) await suite.user.patch(Secret, { namespace, name: name ?? '' }, change)
  else await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, change)
}
