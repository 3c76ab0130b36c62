import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { revokeAnnotation } from '../../pure/names.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { CommandFailure } from '../command-failure.ts'
import { harmless } from '../harmless.ts'
import { annotate } from './annotate.ts'
import { askForConsent } from './ask.ts'
import { withCluster } from './cluster.ts'
import { conditionOf } from './condition.ts'
import { consentTo } from './consent.ts'
import { type RequestOptions, tellRequest } from './key-request.ts'
import { agentWithKeys, hasKey, isRevoked, keyIdsOf, keysOf, printServices } from './keys.ts'
import { keyIdOf } from './status-key.ts'

/** Asks the operator to take a key back from every service, for good. */
export const revokeKey = async (name: string, keyId: string, options: RequestOptions): Promise<void> => {
  const { yes = false, wait: patience, ...where } = options
  const asking = consentTo('revoke it', yes)
  await withCluster(where, async (client) => {
    const shown = await agentWithKeys(client, name)
    assertHas(shown, keyId)
    const wasAsked = revocationsOf(shown).includes(keyId) || isRevoked(shown, keyId)
    if (asking === 'ask' && !wasAsked) await askForConsent(questionOf(shown, keyId))
    const agent = wasAsked ? shown : await annotate(client, shown, (seen) => withRevocation(seen, keyId))
    const asked = `${wasAsked ? 'was asked before' : 'is asked'} to revoke key ${keyId}`
    await tellRequest(client, agent, { asked, patience, ...revocationAfter(agent, keyId) })
  })
}

const condition = 'RevocationComplete'

const assertHas = (agent: LedgerClusterAgent, keyId: string): void => {
  if (hasKey(agent, keyId) || isDeleted(agent, keyId)) return
  const ids = keyIdsOf(agent)
  const stateOf = (id: string) => keysOf(agent).find(({ keyID }) => keyID === id)?.state ?? 'Current'
  const keys = ids.map((id) => `${id} (${stateOf(id)})`).join(', ')
  throw new CommandFailure(
    'notFound',
    `agent "${agent.metadata.name}" has no key "${keyId}": name one of its own in full: ${keys}`,
  )
}

/** Whether the key was revoked and its Secret is deleted: then the status does not list the key any more. */
const isDeleted = (agent: LedgerClusterAgent, keyId: string): boolean =>
  revocationsOf(agent).includes(keyId) && !hasKey(agent, keyId) && conditionOf(agent, condition)?.reason === 'Revoked'

const withRevocation = (agent: LedgerClusterAgent, keyId: string) => ({
  [revokeAnnotation]: [...new Set([...revocationsOf(agent), keyId])].join(','),
})

const questionOf = (agent: LedgerClusterAgent, keyId: string): string => {
  const services = printServices(agent)
  return [
    `Revoke key ${keyId} of agent "${agent.metadata.name}"?`,
    'Every token that was signed with it and every bundle that holds it stops working at once, and for good.',
    ...(keyIdOf(agent) === keyId ? ['It is the current key: a new one takes its place, in all copies.'] : []),
    ...(services === undefined ? [] : [`Pods of ${services} restart.`]),
  ].join(' ')
}

const isOver = (reason: string | undefined): boolean => reason === 'Revoked' || reason === 'UnknownKey'

const revocationAfter = (asked: LedgerClusterAgent, keyId: string) => ({
  condition,
  // The condition alone may still speak of a key that was revoked before, or of one that is none of the agent's. A key
  // that the status listed and does not list any more is revoked, and its Secret is deleted.
  isReached: (agent: LedgerClusterAgent) =>
    (isRevoked(agent, keyId) || !hasKey(agent, keyId)) && isOver(conditionOf(agent, condition)?.reason),
  doneBy: (agent: LedgerClusterAgent) => {
    const told = harmless(conditionOf(agent, condition)?.message ?? '')
    const current = keyIdOf(agent)
    const next = current === keyIdOf(asked) ? '' : `; it has key ${current ?? 'none'} now`
    return `has revoked key ${keyId}: ${told}${next}`
  },
})
