import { seconds } from '../pure/duration.ts'
import { printError } from './log.ts'
import { outlooksOf, type Pulse } from './pulse.ts'

/** What a probe wants to know. */
export interface Health {
  /** Why the process must be replaced; undefined while it lives. */
  readonly collapse: () => string | undefined
  /** Why what it sees may not be what there is; empty when it is. */
  readonly obstacles: () => readonly string[]
}

// A living watch says something every minute, and one that fell silent has been dialled again by then.
const longestSilence = seconds(150)

/** The health of an operator. A standby is as ready as the one that leads: what it sees, it sees just so. */
export const healthOf = (operator: Pulse & { readonly collapsed: Promise<Error> }): Health => {
  let collapse: string | undefined
  void operator.collapsed.then((error) => {
    // One line: some errors go on with where they come from.
    collapse = printError(error).replace(/\n.*/s, '')
  })
  return { collapse: () => collapse, obstacles: () => obstaclesOf(operator) }
}

const obstaclesOf = (pulse: Pulse): readonly string[] =>
  outlooksOf(pulse).flatMap(({ kind, namespace, isSynced, silence }) => {
    const what = namespace === '' ? kind : `${kind} in namespace ${namespace}`
    if (silence > longestSilence) {
      const time = Math.floor(silence / seconds(1))
      return [`${what}: the API server has said nothing for ${time} s; see the log for what it answers`]
    }
    return isSynced ? [] : [`${what}: not everything is in view yet`]
  })
