import type { AgentCondition } from '../../api/ledgerclusteragent.ts'
import type { ConditionWish } from '../../pure/conditions.ts'
import { isEmptySelector } from '../../pure/label-selector.ts'
import { keyOf, printKey } from '../../pure/object.ts'
import type { Observed } from './observed.ts'
import { revocationComplete, revocationOf, rotationComplete, rotationOf } from './key-conditions.ts'
import type { Stage } from './stage.ts'
import type { Surplus } from './surplus.ts'
import { listed } from '../../pure/wording.ts'

/** What an agent's status says besides whether it is ready. */
export const furtherConditionsOf = (
  observed: Observed,
  stage: Stage,
  surplus: Surplus | undefined,
): readonly ConditionWish[] => [
  selectorResolved(observed),
  ...scopesUsable(observed),
  ...servicesUsable(observed),
  ...collected(surplus),
  ...ofKeys(observed, stage),
]

/** Where nobody can tell how far the keys have come, what was said of them last stands. */
const ofKeys = (observed: Observed, stage: Stage): readonly ConditionWish[] => {
  if ('keys' in stage) return [...rotationOf(stage.keys), ...revocationOf(observed, stage.keys)]
  return isUnclear(stage) ? saidOfKeys(observed) : []
}

const isUnclear = ({ is }: Stage): boolean =>
  is === 'in-doubt' || is === 'lost' || is === 'invalid' || is === 'restorable'

const saidOfKeys = ({ object: { status } }: Observed): readonly ConditionWish[] =>
  (status?.conditions ?? [])
    .filter(({ type }) => type === rotationComplete || type === revocationComplete)
    .map(({ type, status: is, reason, message }) => ({ type, status: is, reason, message }))

const selectorResolved = ({ object, matched }: Observed): AgentCondition => {
  const type = 'SelectorResolved'
  if ('fault' in matched) {
    const message = `spec.selector means nothing: ${matched.fault}; the services that matched before keep their copies`
    return { type, status: 'False', reason: 'SelectorFailed', message }
  }
  const count = `${matched.services.length} services match`
  const message = isEmptySelector(object.spec?.selector ?? {})
    ? `${count}: spec.selector is empty, so every LedgerService that this operator sees does`
    : count
  return { type, status: 'True', reason: 'Resolved', message }
}

/** A scope without its service's name in front is expanded to nothing, unless the service itself maps it. */
const scopesUsable = ({ object, matched }: Observed): readonly AgentCondition[] => {
  const services = 'services' in matched ? matched.services : []
  const isMapped = (scope: string) =>
    services.length > 0 && services.every(({ mappedScopes }) => mappedScopes.includes(scope))
  const bare = (object.spec?.scopes ?? []).filter((scope) => !scope.includes(':') && !isMapped(scope))
  if (bare.length === 0) return []
  const [first = ''] = bare
  const message = `these scopes give no right: ${listed(bare)}; a token that claims one is refused (401): write ledger:${first} for ${first}`
  return [{ type: 'ScopesUsable', status: 'False', reason: 'BareScopes', message }]
}

/** A ledger that asks for no tokens takes none: whoever signs for it should know. */
const servicesUsable = ({ matched }: Observed): readonly AgentCondition[] => {
  const open = 'services' in matched ? matched.services.filter(({ isAuthOn }) => !isAuthOn) : []
  if (open.length === 0) return []
  const message = `these services ask for no tokens, so no key is wired to them: ${listed(open.map(printKey))}; set spec.auth.enabled to make them ask`
  return [{ type: 'ServicesUsable', status: 'False', reason: 'AuthOff', message }]
}

const collected = (surplus: Surplus | undefined): readonly AgentCondition[] => {
  const { differing = [] } = surplus ?? {}
  if (differing.length === 0) return []
  const names = differing.map((secret) => printKey(keyOf(secret)))
  const message = `these Secrets hold another key than this agent’s and are left alone: ${listed(names)}; delete them if nobody needs them`
  return [{ type: 'Collected', status: 'False', reason: 'OtherKey', message }]
}
