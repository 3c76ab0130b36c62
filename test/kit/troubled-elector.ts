import { ConnectionError, type WireReply, type WireRequest } from '../../src/kube/port.ts'
import { milliseconds } from '../../src/pure/duration.ts'
import { Elector } from './elector.ts'
import { lapse } from './lapse.ts'
import { LeaseServer } from './lease-server.ts'
import { replyWith } from './scripted-port.ts'
import { TurnedClock } from './turned-clock.ts'

/** What a server in trouble does to a request; undefined lets it pass. */
export type Trouble = (request: WireRequest, pass: () => WireReply) => WireReply | Promise<WireReply> | undefined

export const failing: Trouble = () => replyWith(500, {})
export const unreachable: Trouble = () => Promise.reject(new ConnectionError('ECONNREFUSED', { wasSent: false }))
export const silent: Trouble = () => new Promise(() => undefined)

/** Does what it is asked, and the answer is lost. */
export const mute: Trouble = ({ method }, pass) => {
  const reply = pass()
  return method === 'GET' ? reply : Promise.reject(new ConnectionError('ECONNRESET', { wasSent: true }))
}

/** A process in front of a server whose trouble a test switches on and off. */
export const aTroubledElector = async (trouble?: Trouble, clock = new TurnedClock()) => {
  const server = new LeaseServer()
  const setting = { server, trouble }
  const elector = new Elector(
    server.port((request, pass) => setting.trouble?.(request, pass) ?? pass()),
    { clock },
  )
  await lapse(milliseconds(1), clock)
  return Object.assign(setting, { elector, clock })
}
