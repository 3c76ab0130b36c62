import { isKeyListOf, type KeyEntry, type KeyList, keysHashOf, nobodyEntry, readKeyList } from '../../pure/key-list.ts'
import { type KeyStamp, revisionIn, stampOfPods, type Workload } from '../../pure/key-rollout.ts'
import { type GuardedSpec, hasIssuer, isAuthOn } from '../../pure/ledger-auth.ts'
import { type AgentEntries, entriesOf, type MatchedAgent } from './agent-entries.ts'

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
  const left = whyLeft({ list, written, pods }, found)
  if (left !== undefined) return { ...facts, ...without, left, wiring: isAuthOff ? undefined : pods }
  const accepted = found.flatMap(({ entries }) => entries)
  const isNeeded = accepted.length > 0 || !hasIssuer(spec) || pods !== undefined
  if (list === undefined && ((isAuthOff && pods === undefined) || !isNeeded))
    return { ...facts, ...without, wiring: undefined }
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

interface Seen {
  readonly list: KeyList | undefined
  /** What the list says. */
  readonly written: ReturnType<typeof readKeyList> | undefined
  readonly pods: KeyStamp | undefined
}

/** A list that is gone, makes no sense or was changed behind our back tells nothing of keys that cannot be read. */
const whyLeft = ({ list, written, pods }: Seen, found: readonly AgentEntries[]): string | undefined => {
  // The keys of another installation's agents can never be read here.
  const unread = found.filter(({ isKnown, isAnothers }) => !isKnown && !isAnothers).map(({ agent }) => agent)
  if (unread.length === 0) return undefined
  const until = `the keys of these agents can be read: ${unread.join(', ')}`
  if (list === undefined || written === undefined) return pods && `it is gone, and is made again as soon as ${until}`
  if ('unknown' in written) return `${written.unknown}; it is made again as soon as ${until}`
  // Who has only added something has taken nothing away.
  const isComplete = keysHashOf(found.flatMap(({ entries }) => entries)) === pods?.hash
  return isAltered(list, written.known, pods) && !isComplete
    ? `somebody else has changed it, and what it said is not known; it is put right as soon as ${until}`
    : undefined
}

/** Whoever changes the content without counting it is not us: pods have loaded something else under that number. */
const isAltered = (list: KeyList, entries: readonly KeyEntry[], pods: KeyStamp | undefined): boolean =>
  pods !== undefined && pods.revision === revisionIn(list.metadata.annotations) && pods.hash !== keysHashOf(entries)

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
