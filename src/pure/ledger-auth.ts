/** As much of a service's spec as tells how it is guarded. */
export interface GuardedSpec {
  readonly auth?: { readonly enabled?: boolean | undefined; readonly issuer?: string | undefined } | undefined
  readonly extraEnv?: readonly { readonly name: string; readonly value?: string | undefined }[] | undefined
}

const saysYes = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** The last word has the environment: a variable of the user's replaces ours. */
const variable = ({ extraEnv }: GuardedSpec, name: string): string | undefined =>
  extraEnv?.findLast((one) => one.name === name)?.value

/** Whether requests need a token. */
export const isAuthOn = (spec: GuardedSpec): boolean => {
  const asked = variable(spec, 'AUTH_ENABLED')
  return asked === undefined ? spec.auth?.enabled === true : saysYes.has(asked)
}

/**
 * Whether tokens of an issuer are taken: then a ledger starts without a key. The server counts this one alone, and not
 * the list of further issuers.
 */
export const hasIssuer = (spec: GuardedSpec): boolean =>
  (variable(spec, 'AUTH_ISSUER') ?? spec.auth?.issuer ?? '') !== ''
