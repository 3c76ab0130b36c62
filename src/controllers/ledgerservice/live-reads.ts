import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { LiveRead } from '../../kube/live-reads.ts'
import { type KeyEntry, readKeyList } from '../../pure/key-list.ts'
import { ConfigMap, Secret } from '../../pure/kind.ts'
import { agentNames } from '../../pure/names.ts'
import { keyOf } from '../../pure/object.ts'
import { isTakenBack } from './agent-entries.ts'
import { keyWishOf } from './key-wish.ts'
import { keySightOf, type Observed } from './observed.ts'

/**
 * The agents of which the list would lose something on the strength of what was seen: then the cache is not enough. What
 * was taken back stays so, however old the news.
 */
const agentsAtStake = (seen: Observed): readonly string[] => {
  const { list } = seen.children
  const wish = keyWishOf(keySightOf(seen))
  const written = readKeyList(list?.data ?? {})
  if (!wish.isNarrowing || !('known' in written)) return []
  const stays = new Set(wish.list?.entries.map((entry) => JSON.stringify(entry)))
  const isTold = ({ agent, keyId }: KeyEntry) =>
    seen.agents.some((one) => one.object.metadata.name === agent && isTakenBack(one, keyId))
  const going = written.known.filter((entry) => !stays.has(JSON.stringify(entry)) && !isTold(entry))
  return [...new Set(going.flatMap(({ agent }) => agent ?? []))]
}

// Somebody who writes a long list of strangers shall not cost us a call for each.
const mostByName = 20

/** What says that keys are to leave the list is read live before they do. */
export const liveReadsOf = (seen: Observed): readonly LiveRead[] => {
  const agents = agentsAtStake(seen)
  if (agents.length === 0) return []
  const { object, children, operatorNamespace: namespace } = seen
  return [
    { kind: LedgerService, key: keyOf(object) },
    ...(children.list === undefined ? [] : [{ kind: ConfigMap, key: keyOf(children.list) }]),
    ...(agents.length > mostByName
      ? [
          { kind: LedgerClusterAgent, choice: {} },
          { kind: Secret, choice: { label: agentNames.label, namespace } },
        ]
      : agents.flatMap((name): readonly LiveRead[] => [
          { kind: LedgerClusterAgent, key: { name } },
          { kind: Secret, choice: { label: agentNames.label, value: name, namespace } },
        ])),
  ]
}
