/** Our annotations. */
export const claimAnnotation = 'holdfast.dev/operator'
export const generationAnnotation = 'holdfast.dev/generation'
export const keyIdAnnotation = 'holdfast.dev/key-id'
/** On a key generation: the request that it serves, and the keys and requests that came before it. */
export const requestedByAnnotation = 'holdfast.dev/requested-by'
export const lineageAnnotation = 'holdfast.dev/lineage'
/** On a key generation that came after another: since when it is the one to sign with. */
export const currentSinceAnnotation = 'holdfast.dev/current-since'
/** On the same: the UIDs of the key Secrets before it that were there then. One with another UID was put back later. */
export const succeedsAnnotation = 'holdfast.dev/succeeds'
/** On a key generation: the UID of the agent that it was made for, or taken over by. */
export const agentUidAnnotation = 'holdfast.dev/agent-uid'
/** On a key generation that is not current any more: when it ends, and when it was taken back. */
export const retiresAnnotation = 'holdfast.dev/retires-at'
export const revokedAnnotation = 'holdfast.dev/revoked-at'
/** On a key generation that retires: its own UID. A Secret with another was put back after that. */
export const retiredUidAnnotation = 'holdfast.dev/retired-uid'
/** On a revoked key generation: when the last pod had dropped it. */
export const droppedAnnotation = 'holdfast.dev/dropped-at'
/** On a key generation: the revoked keys whose Secrets are deleted, or are about to be. */
export const revokedKeysAnnotation = 'holdfast.dev/revoked-keys'
/** On a service's key list and on its pods: how often the list has changed. */
export const keysRevisionAnnotation = 'holdfast.dev/keys-revision'
/** People set these: to hold the operator back from an object, and to have it look at everything again. */
export const pausedAnnotation = 'holdfast.dev/paused'
export const reconcileAnnotation = 'holdfast.dev/reconcile'
/** People set these on an agent: to have its key exchanged, once per value; and the ids of keys that shall not be accepted. */
export const rotateAnnotation = 'holdfast.dev/rotate'
export const revokeAnnotation = 'holdfast.dev/revoke'
/** People set this on an agent: the Secret, as namespace/name, whose key shall be the agent's. */
export const adoptAnnotation = 'holdfast.dev/adopt'
/** On an object whose former operator we have just followed: what that one left behind is still to be looked through. */
export const takeoverAnnotation = 'holdfast.dev/taking-over'
/** On a key generation: its deletion is meant. Says so only when its value is the key's id. */
export const deleteAnnotation = 'holdfast.dev/delete'

/** Where an operator is installed unless somebody says otherwise. */
export const usualOperatorNamespace = 'holdfast-system'

/** What a ledger runs unless its service or somebody else says otherwise. */
export const usualLedgerImage = { repository: 'ghcr.io/formancehq/ledger', tag: 'latest' }

/** Who holds this Lease in the operator's namespace works. */
export const leaseName = 'holdfast'

/** How an agent's objects are named. All but the field manager is what the ledger's tools and its former operator use. */
export const agentNames = {
  label: 'ledger.formance.com/agent-name' as const,
  finalizer: 'ledger.formance.com/agent-keys',
  manager: 'holdfast-ledgerclusteragent',
  canonical: (agent: string) => `ledger-${agent}-agent-canonical`,
  generation: (agent: string, number: number) =>
    number === 1 ? agentNames.canonical(agent) : `${agentNames.canonical(agent)}-${number}`,
  /** Which of the agent's keys a Secret of this name in the operator's namespace holds; undefined when none. */
  generationNumber: (agent: string, name: string): number | undefined => {
    const canonical = agentNames.canonical(agent)
    if (name === canonical) return 1
    const [, number] = /^-(\d+)$/.exec(name.startsWith(canonical) ? name.slice(canonical.length) : '') ?? []
    return Number(number) >= 2 ? Number(number) : undefined
  },
  replica: (agent: string) => `ledger-${agent}-agent-keys`,
  /** What replicas were called once. */
  earlyReplica: (agent: string) => `${agent}-agent-keys`,
  /** The agents that a Secret of this name may belong to. */
  ofSecret: (name: string): readonly string[] =>
    [/^ledger-(.+)-agent-(?:canonical(?:-\d+)?|keys)$/, /^(.+)-agent-keys$/].flatMap(
      (form) => form.exec(name)?.slice(1) ?? [],
    ),
}

/** How a service's objects are named, as the ledger's former operator has it. */
export const serviceNames = {
  manager: 'holdfast-ledgerservice',
  /** What the former operator puts on every object that belongs to a service. */
  managedBy: { label: 'app.kubernetes.io/managed-by', value: 'ledger-operator' },
  /** StatefulSet, Service and ServiceAccount. */
  workload: (service: string) => `ledger-${service}`,
  headless: (service: string) => `ledger-${service}-headless`,
  keyList: (service: string) => `ledger-${service}-auth-keys`,
  clusterSecret: (service: string) => `ledger-${service}-cluster-secret`,
  /** On a pod template: what the pods were made from, and which keys they have loaded. */
  specHash: 'ledger.formance.com/spec-hash',
  keysHash: 'ledger.formance.com/auth-keys-hash',
  /** On a volume claim: the volume is guarded against deletion. */
  deletionProtection: { label: 'ledger.formance.com/deletion-protection', value: 'enabled' },
  ofWorkload: (name: string): readonly string[] => /^ledger-(.+)$/.exec(name)?.slice(1) ?? [],
  ofKeyList: (name: string): readonly string[] => /^ledger-(.+)-auth-keys$/.exec(name)?.slice(1) ?? [],
  /** The file of a key list that holds an agent's public key. It is the key's for as long as the key is listed. */
  publicKeyFile: (agent: string, { generation, keyId }: { readonly generation: number; readonly keyId: string }) =>
    generation === 1 ? `agent-${agent}-pubkey.hex` : `agent-${agent}-${keyId}-pubkey.hex`,
  /** What stands between a file's prefix and its ending: an agent, and the key's id where it is not the first. */
  ofPublicKeyFile: (file: string): readonly string[] => /^agent-(.+)-pubkey\.hex$/.exec(file)?.slice(1) ?? [],
  /** The file of the key that nobody has. */
  nobodyFile: 'nobody-pubkey.hex',
} as const

/**
 * The former operator's field manager is the name of its binary: `operator` in its image. Many operators are called so:
 * an entry of that name is the former operator's only if it owns what that one alone writes.
 */
const sharedName = (...owning: readonly (readonly string[])[]) => ({ manager: 'operator', owning })
const ownName = 'ledger-operator'

const label = (name: string) => ['f:metadata', 'f:labels', `f:${name}`]
const inStatus = [
  ['f:status', 'f:phase'],
  ['f:status', 'f:observedGeneration'],
]

/** The former operator's fields become ours. */
export const agentSuccession = {
  manager: agentNames.manager,
  predecessors: [ownName, sharedName(label(agentNames.label), ['f:data', 'f:seed.hex'], ...inStatus)],
}
export const serviceSuccession = {
  manager: serviceNames.manager,
  predecessors: [
    ownName,
    sharedName(
      label(serviceNames.managedBy.label),
      ['f:spec', 'f:template', 'f:metadata', 'f:annotations', `f:${serviceNames.specHash}`],
      ['f:data', 'f:auth-keys.json'],
      ...inStatus,
    ),
  ],
}
