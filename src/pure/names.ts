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
/** On a key generation: its deletion is meant. Says so only when its value is the key's id. */
export const deleteAnnotation = 'holdfast.dev/delete'

/** Who holds this Lease in the operator's namespace works. */
export const leaseName = 'holdfast'

/** How an agent's objects are named. All but the field manager is what the ledger's tools and its former operator use. */
export const agentNames = {
  label: 'ledger.formance.com/agent-name',
  finalizer: 'ledger.formance.com/agent-keys',
  manager: 'holdfast-ledgerclusteragent',
  canonical: (agent: string) => `ledger-${agent}-agent-canonical`,
  replica: (agent: string) => `ledger-${agent}-agent-keys`,
  /** The agent that a Secret of this name belongs to, if its name is one of the two above. */
  ofSecret: (name: string): readonly string[] => /^ledger-(.+)-agent-(?:canonical|keys)$/.exec(name)?.slice(1) ?? [],
} as const

/** The former operator's field manager gives way to ours. */
export const agentSuccession = { manager: agentNames.manager, predecessors: ['ledger-operator'] }
