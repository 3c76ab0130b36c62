import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { LedgerService } from '../../api/ledgerservice.ts'
import { type DigestMeans, digestedAll } from '../../kube/seen-secret.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { type KeyList, keysListedIn } from '../../pure/key-list.ts'
import { Secret } from '../../pure/kind.ts'
import { matcherOf } from '../../pure/label-selector.ts'
import { agentNames, claimAnnotation } from '../../pure/names.ts'
import { isTerminating } from '../../pure/object.ts'
import type { MatchedAgent } from './agent-entries.ts'

interface Means extends DigestMeans<AgentKeyDigest> {
  readonly operatorNamespace: string
}

/** The agents whose selector matches the service, and that are to stay, each with its keys. */
export const agentsOf = (
  service: LedgerService,
  list: KeyList | undefined,
  means: Means,
): Promise<readonly MatchedAgent[]> => {
  const { reads, operatorNamespace } = means
  const listed = new Set(keysListedIn(list?.data ?? {}).map(({ agent }) => agent))
  const matched = reads
    .list<LedgerClusterAgent>(LedgerClusterAgent)
    .filter((agent) => !isTerminating(agent) && (isMatchedBy(agent, service) || isStillMatched(agent, listed)))
    .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
  return Promise.all(
    matched.map(async (object) => {
      // Only there are keys: all else with this label is a copy, and anybody's.
      const secrets = reads
        .find(Secret, agentNames.label, object.metadata.name)
        .filter(({ metadata }) => metadata.namespace === operatorNamespace)
      const claim = object.metadata.annotations?.[claimAnnotation] ?? operatorNamespace
      return { object, secrets: await digestedAll(secrets, means), isAnothers: claim !== operatorNamespace }
    }),
  )
}

/** While a selector means nothing, what it meant before is the best that we know. */
const isStillMatched = ({ spec, metadata }: LedgerClusterAgent, listed: ReadonlySet<string>): boolean =>
  'fault' in matcherOf(spec?.selector ?? {}) && listed.has(metadata.name)

export const isMatchedBy = ({ spec }: LedgerClusterAgent, { metadata }: LedgerService): boolean => {
  const matcher = matcherOf(spec?.selector ?? {})
  return 'matches' in matcher && matcher.matches(metadata.labels ?? {})
}
