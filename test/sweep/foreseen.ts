import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import { systemClock as clock } from '../../src/kube/clock.ts'
import type { Port } from '../../src/kube/port.ts'
import { type Effect, targetOf } from '../../src/pure/effects.ts'
import { Secret } from '../../src/pure/kind.ts'
import type { Step } from '../../src/pure/plan.ts'
import { foresee } from '../../src/runtime/foresee.ts'
import type { GateOptions } from '../kit/gate.ts'
import { type Described, isWrite, printRequest } from '../kit/request.ts'
import { aSuite, type Suite } from '../kit/suite.ts'

/** One pass of the operator: what was foreseen just before it, step by step, and what it then did. */
export interface Pass {
  readonly foreseen: readonly (readonly string[])[]
  readonly done: string[]
}

/** A suite whose every pass is noted, and foreseen while it waits: by an operator that never leads, with this port. */
export const aForeseenSuite = async (port: Port, passes: Pass[]): Promise<Suite> => {
  const gate: GateOptions = {
    onCall(_, described) {
      if (!isCounted(described)) return undefined
      const pass = passes.at(-1)
      return async (send) => {
        const reply = await send()
        // What the server would not have is not done: a create at a name that somebody else has taken.
        if (reply.status < 300) pass?.done.push(printRequest(described, suite.id))
        return reply
      }
    },
  }
  const suite: Suite = await aSuite(['a', 'b'], {
    gate,
    controller: (operatorNamespace) => {
      const controller = ledgerClusterAgentController(operatorNamespace)
      return {
        ...controller,
        async observe(name, reads) {
          const observed = await controller.observe(name, reads)
          // A pass that found no agent yet has nothing to do.
          if (observed !== undefined && name === suite.agentName) {
            passes.push({ foreseen: await foreseenFor(suite, port), done: [] })
          }
          return observed
        },
      }
    },
  })
  return suite
}

const foreseenFor = async (suite: Suite, port: Port): Promise<Pass['foreseen']> => {
  const scope = suite.operatorScope
  const controllers = [ledgerClusterAgentController(scope.own)]
  const { foreseen } = await foresee({ port, clock, scope, controllers, isAskedFor: (key) => key === suite.agentName })
  return foreseen.flatMap(({ plan }) => plan.steps.map((step) => printStep(step, suite.id)))
}

const printStep = (step: Step, run: string): readonly string[] =>
  step
    .filter((effect) => effect.do !== 'event')
    .map((effect) => printRequest(requestOf(effect), run))
    .sort()

/** The request that an effect becomes. */
const requestOf = (effect: Exclude<Effect, { do: 'event' }>): Described => {
  const { namespace, name } = targetOf(effect)
  if (effect.do === 'mint') return { verb: 'create', plural: Secret.plural, namespace, name }
  return { verb: effect.do, plural: effect.kind.plural, namespace, name }
}

const isCounted = (described: Described): boolean =>
  isWrite(described) && described.verb !== 'status' && described.plural !== 'events'

/** What was done, in as many steps as were foreseen. Effects of one step may come in any order. */
export const doneInSteps = ({ foreseen, done }: Pass): Pass['foreseen'] => {
  const rest = [...done]
  const steps = foreseen.map((step) => rest.splice(0, step.length).sort())
  return rest.length === 0 ? steps : [...steps, rest]
}
