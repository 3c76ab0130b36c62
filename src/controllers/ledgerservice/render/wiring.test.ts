import { expect, test } from 'vitest'
import { aService, renderedPaths } from '../../../../test/kit/rendered-service.ts'
import { isAuthOn } from '../../../pure/ledger-auth.ts'

const wiring = { hash: 'a-hash', revision: 0 }
const container = 'StatefulSet ledger-books.spec.template.spec.containers[ledger]'

/** What the keys of agents add to a service. */
const addedBy = (spec: object) => {
  const without = renderedPaths(aService(spec))
  return Object.fromEntries(
    Object.entries(renderedPaths(aService(spec), wiring)).filter(([path]) => !(path in without)),
  )
}

const mounted = {
  'StatefulSet ledger-books.spec.template.metadata.annotations.ledger.formance.com/auth-keys-hash': 'a-hash',
  'StatefulSet ledger-books.spec.template.spec.volumes[auth-keys].configMap.name': 'ledger-books-auth-keys',
  [`${container}.volumeMounts[auth-keys].mountPath`]: '/auth-keys',
  [`${container}.volumeMounts[auth-keys].readOnly`]: true,
}

test('LSV-14 the keys of agents are mounted, and other keys make other pods', () => {
  expect(addedBy({ auth: { enabled: true } })).toEqual({
    ...mounted,
    [`${container}.env[AUTH_ED25519_KEYS].value`]: '/auth-keys/auth-keys.json',
  })
})

test('LSV-14 a ledger that asks for no tokens is told of no keys: it would refuse to start', () => {
  expect(addedBy({})).toEqual(mounted)
  expect(addedBy({ auth: { enabled: false } })).toEqual(mounted)
})

const variable = (value: string) => [{ name: 'AUTH_ENABLED', value }]

test.each([
  ['nothing', {}, false],
  ['the field', { auth: { enabled: true } }, true],
  ['the field, off', { auth: { enabled: false } }, false],
  ['a variable', { extraEnv: variable('true') }, true],
  ['a variable in another spelling', { extraEnv: variable('1') }, true],
  ['a variable against the field', { auth: { enabled: true }, extraEnv: variable('false') }, false],
  [
    'the last of two variables',
    { extraEnv: [{ name: 'AUTH_ENABLED', valueFrom: {} }, ...variable('true'), ...variable('0')] },
    false,
  ],
  ['an empty variable against the field', { auth: { enabled: true }, extraEnv: variable('') }, false],
  [
    'a variable without a value, which is an empty one',
    { auth: { enabled: true }, extraEnv: [{ name: 'AUTH_ENABLED' }] },
    false,
  ],
])('LSV-14 whether the ledger asks for tokens is said by %s', (_by, spec, isOn) => {
  expect(isAuthOn(aService(spec).spec)).toBe(isOn)
})

const elsewhere = [{ name: 'AUTH_ENABLED', valueFrom: { configMapKeyRef: { name: 'settings', key: 'auth' } } }]

test.each([
  ['a variable from elsewhere', { extraEnv: elsewhere }],
  ['a variable from elsewhere beside the field', { auth: { enabled: true }, extraEnv: elsewhere }],
  ['a variable from elsewhere against the field', { auth: { enabled: false }, extraEnv: elsewhere }],
  ['a variable that refers to another', { extraEnv: variable('$(ASKS)') }],
])('LSV-23 a ledger counts as one that asks for tokens when it has %s', (_, spec) => {
  expect(isAuthOn(aService(spec).spec)).toBe(true)
})
