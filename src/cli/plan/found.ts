import { printKey } from '../../pure/object.ts'
import type { Outlook } from '../../runtime/foresee.ts'
import { CommandFailure } from '../command-failure.ts'
import type { AskedFor } from './asked-for.ts'

/** Who asks for something in particular wants to hear that it is not there. */
export const assertFound = ({ kind, namespace, name }: AskedFor, { foreseen, obstacles }: Outlook): void => {
  if (kind === undefined) return
  const [obstacle] = obstacles.values()
  if (obstacle !== undefined)
    throw new CommandFailure('notInstalled', `cannot plan for ${kind.kind}s: ${obstacle}; see holdfast install --help`)
  if (name === undefined || foreseen.length > 0) return
  const key = printKey({ namespace: kind.namespaced ? namespace : undefined, name })
  const how = `kubectl get ${kind.plural}${kind.namespaced ? ' -A' : ''}`
  throw new CommandFailure('notFound', `there is no ${kind.kind} ${key}: see what there is with ${how}`)
}
