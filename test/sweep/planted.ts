import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import type { Observed } from '../../src/controllers/ledgerclusteragent/observed.ts'
import type { Port, WireRequest } from '../../src/kube/port.ts'
import type { Reads } from '../../src/kube/reads.ts'
import type { Effect } from '../../src/pure/effects.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation, rotateAnnotation } from '../../src/pure/names.ts'
import { type KubeObject, keyOf, preconditionOf } from '../../src/pure/object.ts'
import { isSettled } from '../../src/pure/plan.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import type { Planted } from './run.ts'

type AgentController = Controller<Observed>

/** The real controller with one thing done otherwise. */
const changed = (change: (real: AgentController, namespace: string) => Partial<AgentController>) => ({
  controller: (namespace: string): Controller => {
    const real = ledgerClusterAgentController(namespace)
    return { ...real, ...change(real, namespace) }
  },
})

/** The real port with one sort of request sent otherwise. */
const rewritten = (rewrite: (request: WireRequest) => WireRequest) => ({
  port: (gate: Port): Port => ({
    call: (request, signal) => gate.call(rewrite(request), signal),
    open: (request, signal) => gate.open(request, signal),
    close: () => gate.close(),
  }),
})

/** The same reads, with another look-up. */
const readsWith = (reads: Reads, other: Partial<Pick<Reads, 'get' | 'refresh'>>): Reads =>
  new Proxy(reads, {
    get: (_, name) => {
      const own: unknown = Reflect.get(other, name) ?? Reflect.get(reads, name)
      return typeof own === 'function' ? (own.bind(reads) as unknown) : own
    },
  })

const isMade = ({ method, body = '' }: WireRequest, part: string): boolean => method === 'POST' && body.includes(part)

/** Mints although a replica and the status show that there was a key. */
export const mintsDespiteWitness: Planted = changed((real) => ({
  decide: (observed) => {
    const plan = real.decide(observed)
    const instead = (effect: Effect): Effect => {
      const isRestore = effect.do === 'create' && effect.object.metadata.name.endsWith('-agent-canonical')
      if (!isRestore) return effect
      const { data: _data, ...object } = effect.object
      return { do: 'mint', object, recipe: 'agent-key' }
    }
    return { ...plan, steps: plan.steps.map((step) => step.map(instead)) }
  },
}))

/** Deletes whatever has the name by now. */
export const deletesWithoutUid: Planted = rewritten((request) =>
  request.method === 'DELETE' ? { ...request, body: '{}' } : request,
)

/** Marks whatever the object has become by now. */
export const marksWithoutVersion: Planted = rewritten((request) => {
  if (request.contentType !== 'application/merge-patch+json') return request
  const { metadata } = JSON.parse(request.body ?? '') as { metadata: { resourceVersion?: string } }
  const { resourceVersion: _version, ...rest } = metadata
  return { ...request, body: JSON.stringify({ metadata: rest }) }
})

/** Puts its finalizer on when everything else is done. */
export const finalizerComesLast: Planted = changed((real, namespace) => {
  const finalizers = [agentNames.finalizer]
  const isClaimed = ({ metadata }: KubeObject) => metadata.annotations?.[claimAnnotation] === namespace
  const held = new Set<string>()
  return {
    observe: (name, reads) => {
      const get: Reads['get'] = <T>(kind: Kind, key: { name: string }) => {
        const object = reads.get(kind, key)
        if (object === undefined || kind !== LedgerClusterAgent || !isClaimed(object)) return object as T | undefined
        if (object.metadata.finalizers !== undefined) held.add(name)
        return { ...object, metadata: { ...object.metadata, finalizers } } as T
      }
      return real.observe(name, readsWith(reads, { get }))
    },
    decide: (observed) => {
      const plan = real.decide(observed)
      const { object } = observed
      if (!isSettled(plan) || !isClaimed(object) || held.has(object.metadata.name)) return plan
      const on = preconditionOf(object)
      return {
        ...plan,
        steps: [[{ do: 'mark', kind: LedgerClusterAgent, key: keyOf(object), on, set: { finalizers } }]],
      }
    },
  }
})

/** Takes the agent's own key for a reason to make another. */
export const rotatesUnasked: Planted = changed((real) => ({
  observe: (name, reads) => {
    const get: Reads['get'] = <T>(kind: Kind, key: { name: string }) => {
      const object = reads.get<LedgerClusterAgent>(kind, key)
      if (object === undefined || kind !== LedgerClusterAgent) return object as T | undefined
      const request = object.status?.keyID === undefined ? 'once' : 'again'
      const annotations = { ...object.metadata.annotations, [rotateAnnotation]: request }
      return { ...object, metadata: { ...object.metadata, annotations } } as T
    }
    return real.observe(name, readsWith(reads, { get }))
  },
}))

/** Brings replicas into being by apply, which overwrites what is there. */
export const appliesInsteadOfCreating: Planted = rewritten((request) => {
  if (!isMade(request, '-agent-keys')) return request
  const { metadata } = JSON.parse(request.body ?? '') as { metadata: { name: string } }
  const query = { ...request.query, force: 'true' }
  return {
    ...request,
    method: 'PATCH',
    path: `${request.path}/${metadata.name}`,
    query,
    contentType: 'application/apply-patch+yaml',
  }
})
