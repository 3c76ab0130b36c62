import type { WireReply } from '../../src/kube/port.ts'
import type { GateOptions } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'
import { aSuite, type Suite } from '../kit/suite.ts'

/** A fault at the gate that a test switches on and off. */
export class Fault {
  isOn = false
  readonly gate: GateOptions

  constructor(reply: Pick<WireReply, 'status' | 'body'>, hits: (described: Described) => boolean) {
    const answer = () => Promise.resolve({ retryAfter: undefined, ...reply })
    this.gate = { onCall: (_, described) => (this.isOn && hits(described) ? answer : undefined) }
  }
}

/** A suite with an agent whose Secrets cannot be read from the beginning. */
export const anUnreadableSuite = async (fault: Fault): Promise<Suite> => {
  const suite = await aSuite(['a'], fault)
  await suite.start()
  fault.isOn = true
  await suite.createAgent(['a'])
  await suite.idle()
  return suite
}

/** The API server fails whenever a Secret is read. */
export const unreadableSecrets = (): Fault =>
  new Fault(
    { status: 500, body: '{}' },
    ({ verb, plural }) => plural === 'secrets' && (verb === 'get' || verb === 'list'),
  )
