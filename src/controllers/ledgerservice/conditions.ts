import type { ServiceCondition } from '../../api/ledgerservice.ts'
import { hasIssuer } from '../../pure/ledger-auth.ts'
import { listed } from '../../pure/wording.ts'
import { hasSelectorDrifted } from './held.ts'
import type { Keys } from './keys.ts'
import type { Observed } from './observed.ts'
import type { Stage } from './stage.ts'

/** What a service's status says besides whether it is ready. */
export const furtherConditionsOf = (observed: Observed, stage: Stage, keys: Keys): readonly ServiceCondition[] => [
  configValid(stage),
  selectorImmutable(observed),
  authKeysPublished(observed, keys),
]

const configValid = (stage: Stage): ServiceCondition => {
  const obstacles = stage.is === 'held' ? stage.obstacles : []
  const fault = obstacles.find(({ reason }) => reason === 'ValidationFailed')
  return fault === undefined
    ? { type: 'ConfigValid', status: 'True', reason: 'Valid', message: '' }
    : { type: 'ConfigValid', status: 'False', ...fault }
}

const selectorImmutable = (observed: Observed): ServiceCondition => {
  const type = 'SelectorImmutable'
  if (!hasSelectorDrifted(observed)) return { type, status: 'True', reason: 'Stable', message: '' }
  const message = 'the labels by which pods are found cannot change; put spec.additionalLabels back'
  return { type, status: 'False', reason: 'SelectorDrift', message }
}

const type = 'AuthKeysPublished'

const authKeysPublished = (observed: Observed, keys: Keys): ServiceCondition => {
  const { wish } = keys
  const not = (reason: ServiceCondition['reason'], message: string): ServiceCondition => ({
    type,
    status: 'False',
    reason,
    message,
  })
  const matched = observed.agents.map(({ object }) => object.metadata.name)
  if (wish.isAuthOff) {
    const idle = matched.length === 0 ? '' : `; the keys of these agents are of no use here: ${listed(matched)}`
    return not('AuthOff', `requests need no token${idle}`)
  }
  if (keys.left !== undefined) return not('KeyListLeft', `the key list stays as it is: ${keys.left}`)
  const open = [...new Set([...wish.pending, ...wish.carried])].sort()
  const without = open.length === 0 ? '' : `no key of these agents can be read: ${listed(open)}`
  if (wish.isNobody && !hasIssuer(observed.complete.spec)) {
    const why = without === '' ? 'no agent’s selector matches this service' : without
    return not('NobodyCanSignIn', `a token is needed, and there is no key that could sign one: ${why}`)
  }
  if (without !== '') return not('KeysPending', without)
  if (observed.settlesAt !== undefined) return not('KeysPending', 'the key list is about to change')
  const count = wish.isNobody ? 0 : (wish.list?.entries.length ?? 0)
  const message = count === 0 ? 'no key is needed: tokens of an issuer are accepted' : `keys that are listed: ${count}`
  return { type, status: 'True', reason: 'Published', message }
}
