import { randomBytes } from 'node:crypto'
import { type LedgerClusterAgent, usualOverlap } from '../../api/ledgerclusteragent.ts'
import { rotateAnnotation } from '../../pure/names.ts'
import { harmless } from '../harmless.ts'
import { annotate } from './annotate.ts'
import { askForConsent } from './ask.ts'
import { withCluster } from './cluster.ts'
import { conditionOf } from './condition.ts'
import { assertNamed, consentTo } from './consent.ts'
import { type RequestOptions, tellRequest } from './key-request.ts'
import { agentWithKeys, keyIdsOf, keysOf, printServices } from './keys.ts'
import { keyIdOf } from './status-key.ts'

/** Asks the operator for another key in the place of the current one. */
export const rotateAgent = async (name: string | undefined, options: RequestOptions): Promise<void> => {
  const { yes = false, wait: patience, ...where } = options
  assertNamed(name, yes, 'agent shall have another key: kubectl ledger agents rotate NAME')
  const asking = consentTo('rotate its key', yes)
  await withCluster(where, async (client) => {
    const shown = await agentWithKeys(client, name)
    const underWay = rotationOf(shown)
    if (asking === 'ask') await askForConsent(questionOf(shown, underWay))
    else if (underWay !== undefined) process.stderr.write(`${underWay}; another one follows\n`)
    // Two people may ask within one tick of the clock.
    const request = `${new Date().toISOString()}-${randomBytes(3).toString('hex')}`
    const agent = await annotate(client, shown, () => ({ [rotateAnnotation]: request }))
    const asked = 'is asked to rotate its key'
    await tellRequest(client, agent, { asked, patience, ...rotationAfter(agent) })
  })
}

/** What is said of a rotation that has not come to its end; undefined when there is none. */
const rotationOf = (agent: LedgerClusterAgent): string | undefined => {
  const next = keysOf(agent).find(({ state }) => state === 'Minted')
  const condition = conditionOf(agent, 'RotationComplete')
  const isWaiting = condition?.status === 'False' && condition.reason === 'RotationWaiting'
  if (next === undefined && !isWaiting) return undefined
  const why = isWaiting ? condition.message : `key ${next?.keyID ?? ''} is made and not used yet`
  return harmless(`a rotation of agent "${agent.metadata.name}" is under way: ${why}`)
}

const questionOf = (agent: LedgerClusterAgent, underWay: string | undefined): string => {
  const { metadata, spec } = agent
  const services = printServices(agent)
  const when =
    services === undefined
      ? 'No service matches it, so a new key is used at once'
      : `${services} must load a new key before it is used, and restart their pods for it`
  const overlap = `the former one is accepted for ${spec?.rotation?.overlap ?? usualOverlap} from then on.`
  const key = keyIdOf(agent) ?? 'none'
  return underWay === undefined
    ? `Rotate the key of agent "${metadata.name}", now ${key}? ${when}; ${overlap}`
    : `${underWay}. The key is ${key} now. ${when}; ${overlap} Shall another rotation follow this one?`
}

const rotationAfter = (asked: LedgerClusterAgent) => {
  // A key that is made already belongs to a rotation that was asked for before.
  const known = keyIdsOf(asked)
  return {
    condition: 'RotationComplete',
    isReached: (agent: LedgerClusterAgent) => {
      const current = keyIdOf(agent)
      return current !== undefined && !known.includes(current)
    },
    doneBy: (agent: LedgerClusterAgent) => {
      const former = keysOf(agent).flatMap(({ state, keyID, retiresAt }) =>
        state === 'Retiring' && retiresAt !== undefined ? [`; ${keyID} is accepted until ${retiresAt}`] : [],
      )
      return `has key ${keyIdOf(agent) ?? 'none'} now${former.join('')}`
    },
  }
}
