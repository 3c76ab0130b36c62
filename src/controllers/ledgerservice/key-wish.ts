import { isKeyListOf, type KeyEntry, keysHashOf, nobodyEntry, readKeyList } from '../../pure/key-list.ts'
import { type KeyStamp, revisionIn, stampOfPods, type Workload } from '../../pure/key-rollout.ts'
import { type GuardedSpec, hasIssuer, isAuthOn } from '../../pure/ledger-auth.ts'
import type { KubeObject } from '../../pure/object.ts'
import { type AgentEntries, entriesOf, type MatchedAgent } from './agent-entries.ts'

/** A service's key list as it is. */
export interface KeyList extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

/** All that the keys of a service depend on. */
export interface KeySight {
  readonly serviceUid: string
  readonly spec: GuardedSpec
  readonly agents: readonly MatchedAgent[]
  readonly list: KeyList | undefined
  readonly workload: Workload | undefined
}

/** What a service shall list, and what its pods shall load. */
export interface KeyWish {
  /** Undefined when there shall be no list, or when it is left as it is. */
  readonly list: { readonly entries: readonly KeyEntry[]; readonly stamp: KeyStamp } | undefined
  /** What pods shall be made with; undefined when they get no keys. */
  readonly wiring: KeyStamp | undefined
  /** Why list and pods are left as they are: what belongs into the list cannot be told. */
  readonly left: string | undefined
  readonly isChanged: boolean
  /** Whether a key, or a right of it, would be taken away. */
  readonly isNarrowing: boolean
  /** Agents of which nothing can be listed yet, and those of which what is listed stays because nobody knows better. */
  readonly pending: readonly string[]
  readonly carried: readonly string[]
  readonly isNobody: boolean
  readonly isAuthOff: boolean
}

export const keyWishOf = (sight: KeySight): KeyWish => {
  const { spec, list, workload, agents, serviceUid } = sight
  const written = list && readKeyList(list.data ?? {})
  const listed = written !== undefined && 'known' in written ? written.known : []
  const found = agents.map((agent) => entriesOf(agent, listed))
  const isAuthOff = !isAuthOn(spec)
  const facts = {
    pending: found.filter(({ entries }) => entries.length === 0).map(({ agent }) => agent),
    carried: found.filter(({ isCarried }) => isCarried).map(({ agent }) => agent),
    isAuthOff,
  }
  const pods = workload && stampOfPods(workload)
  const without = { list: undefined, isChanged: false, isNarrowing: false, isNobody: false, left: undefined }
  const left = whyLeft(written, pods, found)
  if (left !== undefined) return { ...facts, ...without, left, wiring: pods }
  const accepted = found.flatMap(({ entries }) => entries)
  const isNeeded = accepted.length > 0 || !hasIssuer(spec) || pods !== undefined
  if (list === undefined && (isAuthOff || !isNeeded)) return { ...facts, ...without, wiring: undefined }
  const isNobody = accepted.length === 0
  const entries = isNobody ? [nobodyEntry(serviceUid)] : accepted
  const isChanged = !isKeyListOf(entries, list?.data ?? {})
  const stamp = stampOf(entries, { isChanged, list, pods })
  return {
    ...facts,
    list: { entries, stamp },
    wiring: isAuthOff ? undefined : stamp,
    left: undefined,
    isChanged,
    isNarrowing: isNarrowing(listed, entries),
    isNobody,
  }
}

/** A list that is gone or makes no sense tells nothing of keys that cannot be read. */
const whyLeft = (
  written: ReturnType<typeof readKeyList> | undefined,
  pods: KeyStamp | undefined,
  found: readonly Pick<AgentEntries, 'agent' | 'isKnown' | 'isAnothers'>[],
): string | undefined => {
  // The keys of another installation's agents can never be read here.
  const unread = found.filter(({ isKnown, isAnothers }) => !isKnown && !isAnothers).map(({ agent }) => agent)
  if (unread.length === 0) return undefined
  const until = `the keys of these agents can be read: ${unread.join(', ')}`
  if (written !== undefined && 'unknown' in written) return `${written.unknown}; it is made again as soon as ${until}`
  return written === undefined && pods !== undefined ? `it is gone, and is made again as soon as ${until}` : undefined
}

interface Former {
  readonly isChanged: boolean
  readonly list: KeyList | undefined
  readonly pods: KeyStamp | undefined
}

/** A pod that starts while the list is being changed may load either: so no content has the stamp of an earlier one. */
const stampOf = (entries: readonly KeyEntry[], { isChanged, list, pods }: Former): KeyStamp => {
  const hash = keysHashOf(entries)
  const revision = Math.max(revisionIn(list?.metadata.annotations), pods?.revision ?? 0)
  // No pod starts without its list.
  const isPutBack = list === undefined && (pods === undefined || pods.hash === hash)
  return { hash, revision: isChanged && !isPutBack ? revision + 1 : revision }
}

const isNarrowing = (listed: readonly KeyEntry[], wished: readonly KeyEntry[]): boolean =>
  listed.some(({ agent, keyId, scopes, god }) => {
    if (agent === undefined) return false
    const then = wished.find((entry) => entry.keyId === keyId)
    return (
      then === undefined || (god && !then.god) || (scopes ?? []).some((scope) => then.scopes?.includes(scope) !== true)
    )
  })
