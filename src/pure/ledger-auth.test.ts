import { expect, test } from 'vitest'
import { type GuardedSpec, hasIssuer } from './ledger-auth.ts'

const issuer = 'https://issuer.example'

test.each<[what: string, spec: GuardedSpec, isSo: boolean]>([
  ['nothing is said', {}, false],
  ['the service names one', { auth: { issuer } }, true],
  ['a variable names one', { extraEnv: [{ name: 'AUTH_ISSUER', value: issuer }] }, true],
  ['a variable names none instead', { auth: { issuer }, extraEnv: [{ name: 'AUTH_ISSUER', value: '' }] }, false],
  [
    'the last of two variables names none',
    { extraEnv: [{ name: 'AUTH_ISSUER', value: issuer }, { name: 'AUTH_ISSUER' }] },
    false,
  ],
  ['only a pod gets to know it', { auth: { issuer }, extraEnv: [{ name: 'AUTH_ISSUER', valueFrom: {} }] }, false],
  ['it refers to another variable', { extraEnv: [{ name: 'AUTH_ISSUER', value: '$(ISSUER)' }] }, false],
])('LSV-22 whether a ledger can do without a key because it has an issuer: %s', (_, spec, isSo) => {
  expect(hasIssuer(spec)).toBe(isSo)
})
