import { pausedAnnotation } from './names.ts'
import { isTerminating, type KubeObject } from './object.ts'
import { isSettled, type Plan } from './plan.ts'

/** Whether somebody asked that nothing be done for the object. Its deletion is asked for later, and counts more. */
export const isPaused = (object: KubeObject): boolean => {
  const value = object.metadata.annotations?.[pausedAnnotation]
  return value !== undefined && value !== 'false' && !isTerminating(object)
}

/** The plan of a paused object: nothing is done but what cannot wait, and to say so. */
export const whilePaused = (plan: Plan): Plan => {
  const { status, urgent = [] } = plan
  const steps = urgent.length === 0 ? [] : [urgent]
  if (status === undefined) return { ...plan, steps }
  const paused = {
    type: 'Paused',
    status: 'True',
    reason: 'AskedFor',
    message: `nothing is written for this object but its status; to go on, remove the annotation ${pausedAnnotation}`,
  } as const
  const ready = isSettled(plan)
    ? status.ready
    : ({ status: 'False', reason: 'Paused', message: 'there is something to do, but this object is paused' } as const)
  return { ...plan, steps, status: { ...status, ready, others: [...status.others, paused] } }
}
