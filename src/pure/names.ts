/** Our annotations. */
export const claimAnnotation = 'holdfast.dev/operator'
export const generationAnnotation = 'holdfast.dev/generation'
export const keyIdAnnotation = 'holdfast.dev/key-id'
/** On a key generation that is not current any more: when it ends, and when it was taken back. */
export const retiresAnnotation = 'holdfast.dev/retires-at'
export const revokedAnnotation = 'holdfast.dev/revoked-at'
/** People set these: to hold the operator back from an object, and to have it look at everything again. */
export const pausedAnnotation = 'holdfast.dev/paused'
export const reconcileAnnotation = 'holdfast.dev/reconcile'
/** People set this on an agent: the Secret, as namespace/name, whose key shall be the agent's. */
export const adoptAnnotation = 'holdfast.dev/adopt'
/** On an object whose former operator we have just followed: what that one left behind is still to be looked through. */
export const takeoverAnnotation = 'holdfast.dev/taking-over'
/** On a key generation: its deletion is meant. Says so only when its value is the key's id. */
export const deleteAnnotation = 'holdfast.dev/delete'

/** Where an operator is installed unless somebody says otherwise. */
export const usualOperatorNamespace = 'holdfast-system'

/** Who holds this Lease in the operator's namespace works. */
export const leaseName = 'holdfast'

/** How an agent's objects are named. All but the field manager is what the ledger's tools and its former operator use. */
export const agentNames = {
  label: 'ledger.formance.com/agent-name',
  finalizer: 'ledger.formance.com/agent-keys',
  manager: 'holdfast-ledgerclusteragent',
  canonical: (agent: string) => `ledger-${agent}-agent-canonical`,
  replica: (agent: string) => `ledger-${agent}-agent-keys`,
  /** What replicas were called once. */
  earlyReplica: (agent: string) => `${agent}-agent-keys`,
  /** The agents that a Secret of this name may belong to. */
  ofSecret: (name: string): readonly string[] =>
    [/^ledger-(.+)-agent-(?:canonical|keys)$/, /^(.+)-agent-keys$/].flatMap((form) => form.exec(name)?.slice(1) ?? []),
} as const

/** How a service's objects are named, as the ledger's former operator has it. */
export const serviceNames = {
  /** What the former operator puts on every object that belongs to a service. */
  managedBy: { label: 'app.kubernetes.io/managed-by', value: 'ledger-operator' },
  /** StatefulSet, Service and ServiceAccount. */
  workload: (service: string) => `ledger-${service}`,
  headless: (service: string) => `ledger-${service}-headless`,
  grpc: (service: string) => `ledger-${service}-grpc`,
  keyList: (service: string) => `ledger-${service}-auth-keys`,
  clusterSecret: (service: string) => `ledger-${service}-cluster-secret`,
  /** On a pod template: what the pods were made from, and which keys they have loaded. */
  specHash: 'ledger.formance.com/spec-hash',
  keysHash: 'ledger.formance.com/auth-keys-hash',
  /** On a volume claim: the volume is guarded against deletion. */
  deletionProtection: { label: 'ledger.formance.com/deletion-protection', value: 'enabled' },
  ofKeyList: (name: string): readonly string[] => /^ledger-(.+)-auth-keys$/.exec(name)?.slice(1) ?? [],
  /** The agent whose public key a file of the key list holds. */
  ofPublicKeyFile: (file: string): readonly string[] => /^agent-(.+)-pubkey\.hex$/.exec(file)?.slice(1) ?? [],
} as const

/** The former operator's field manager gives way to ours. */
export const agentSuccession = { manager: agentNames.manager, predecessors: ['ledger-operator'] }
