import type { CompleteService } from './defaults.ts'

const saysYes = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** Whether requests need a token. The last word has the environment: a variable of the user's replaces ours. */
export const isAuthOn = ({ spec }: Pick<CompleteService, 'spec'>): boolean => {
  const asked = spec.extraEnv?.findLast(({ name }) => name === 'AUTH_ENABLED')?.value
  return asked === undefined ? spec.auth?.enabled === true : saysYes.has(asked)
}
