import { createInterface } from 'node:readline'
import type { Port, WireRequest } from '../../src/kube/port.ts'
import { Lease } from '../../src/pure/kind.ts'
import type { LeaseSpec } from '../../src/pure/lease.ts'
import { type ChildOperator, startChildOperator } from './child-operator.ts'
import type { Interception } from './gate.ts'
import { type Described, isWrite } from './request.ts'
import { sharedConnection } from './shared-control-plane.ts'

/** A request that the server has answered. */
interface Answered {
  readonly request: Described
  readonly status: number
  /** What it was to make of the Lease. */
  readonly lease: LeaseSpec | undefined
}

/** One of several `holdfast operator` processes that contend for the Lease of a namespace. */
export interface Rival extends AsyncDisposable, Pick<ChildOperator, 'child' | 'gate' | 'exited'> {
  /** In this order. */
  readonly answered: readonly Answered[]
  readonly log: readonly string[]
  /** The versions of objects that its watches have told it of. */
  readonly heard: ReadonlySet<string>
  /** May come between it and the server. */
  meddle: (request: Described) => Interception | undefined
}

export const startRival = async (namespace: string, onAnswer: (answered: Answered) => void): Promise<Rival> => {
  const answered: Answered[] = []
  const log: string[] = []
  const heard = new Set<string>()
  const onCall =
    (wire: WireRequest, request: Described): Interception =>
    async (pass) => {
      const reply = await (rival.meddle(request)?.(pass) ?? pass())
      const lease = isWrite(request) && request.plural === Lease.plural ? specIn(wire) : undefined
      const answer = { request, status: reply.status, lease }
      answered.push(answer)
      onAnswer(answer)
      return reply
    }
  const started = await startChildOperator(
    listening(sharedConnection().port, heard),
    { onCall },
    { own: namespace, watched: 'all' },
    [],
  )
  const { child, gate, exited, output, operator } = started
  createInterface({ input: output }).on('line', (line) => void log.push(line))
  const rival: Rival = {
    child,
    gate,
    exited,
    answered,
    log,
    heard,
    meddle: () => undefined,
    async [Symbol.asyncDispose]() {
      await gate.close()
      await operator.stop()
    },
  }
  return rival
}

/** The same port; every version that a watch tells of is noted. */
const listening = (port: Port, heard: Set<string>): Port => ({
  call: (request, signal) => port.call(request, signal),
  open: async (request, signal) => {
    const stream = await port.open(request, signal)
    return { ...stream, body: noting(stream.body, heard) }
  },
  close: () => port.close(),
})

async function* noting(body: AsyncIterable<Uint8Array>, heard: Set<string>): AsyncGenerator<Uint8Array> {
  let end = ''
  for await (const chunk of body) {
    const told = end + Buffer.from(chunk).toString('latin1')
    for (const [, version = ''] of told.matchAll(/"resourceVersion":"(\d+)"/g)) heard.add(version)
    // A version may lie across two chunks.
    end = told.slice(-50)
    yield chunk
  }
}

const specIn = ({ body = '{}' }: WireRequest): LeaseSpec | undefined =>
  (JSON.parse(body) as { readonly spec?: LeaseSpec }).spec

/** What the server has let it change, in this order. */
export const writesOf = ({ answered }: Pick<Rival, 'answered'>): readonly Answered[] =>
  answered.filter(({ request, status }) => isWrite(request) && status < 300)

/** The same without the Lease: what it has done as a leader. */
export const workOf = (rival: Pick<Rival, 'answered'>): readonly Described[] =>
  writesOf(rival)
    .map(({ request }) => request)
    .filter(({ plural }) => plural !== Lease.plural)
