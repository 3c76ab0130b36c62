/** As much of a service's spec as tells how it is guarded. */
export interface GuardedSpec {
  readonly auth?: { readonly enabled?: boolean | undefined; readonly issuer?: string | undefined } | undefined
  readonly extraEnv?: readonly Variable[] | undefined
}

interface Variable {
  readonly name: string
  readonly value?: string | undefined
  readonly valueFrom?: object | undefined
}

const saysYes = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** The last word has the environment: a variable of the user's replaces ours. */
const variable = ({ extraEnv }: GuardedSpec, name: string): Variable | undefined =>
  extraEnv?.findLast((one) => one.name === name)

/** The variable has its value only in the pod: it lies elsewhere, or refers to another variable. */
const isUntold = ({ value = '', valueFrom }: Variable): boolean => valueFrom !== undefined || value.includes('$(')

/** Whether nobody can tell before a pod starts if requests need a token. */
export const isAuthUntold = (spec: GuardedSpec): boolean => {
  const asked = variable(spec, 'AUTH_ENABLED')
  return asked !== undefined && isUntold(asked)
}

/** Whether requests need a token. When that cannot be told they do: no ledger loses its keys because of a doubt. */
export const isAuthOn = (spec: GuardedSpec): boolean => {
  const asked = variable(spec, 'AUTH_ENABLED')
  if (asked === undefined) return spec.auth?.enabled === true
  return isUntold(asked) || saysYes.has(asked.value ?? '')
}

/**
 * Whether tokens of an issuer are taken: then a ledger starts without a key. The server counts this one alone, and not
 * the list of further issuers. One that only a pod gets to know may turn out to be none.
 */
export const hasIssuer = (spec: GuardedSpec): boolean => {
  const asked = variable(spec, 'AUTH_ISSUER')
  if (asked === undefined) return (spec.auth?.issuer ?? '') !== ''
  return !isUntold(asked) && (asked.value ?? '') !== ''
}

/** Whether the ledger is told to read other keys than those of its agents. */
export const hasOtherKeys = (spec: GuardedSpec): boolean => variable(spec, 'AUTH_ED25519_KEYS') !== undefined
