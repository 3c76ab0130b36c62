import { expect, test } from 'vitest'
import { aFormerWorkload, anObservedService, type FormerWorkload } from '../../../test/fixtures/service.ts'
import type { EnvVar } from '../../api/ledgerservice/kubernetes.ts'
import { decide } from './decide.ts'
import type { Observed } from './observed.ts'
import { startScript } from './render/start-script.ts'

const stamp = { hash: 'keys', revision: 0 }
const auth = { enabled: true }

const unclaimed = (spec: object, live: FormerWorkload): Observed => {
  const observed = anObservedService({ spec, children: { workload: aFormerWorkload(live) } })
  const { annotations: _, ...metadata } = observed.object.metadata
  return { ...observed, object: { ...observed.object, metadata } }
}

const noticesFor = (spec: object, live: FormerWorkload) => decide(unclaimed(spec, live)).notices

const keysVariable = { name: 'AUTH_ED25519_KEYS', value: '/auth-keys/auth-keys.json' }

test('PLAN-15 a service that is taken over as it is has no note', () => {
  expect(noticesFor({ auth, debug: true }, { spec: { auth, debug: true }, keys: stamp })).toBeUndefined()
  expect(noticesFor({}, { spec: {}, keys: stamp })).toBeUndefined()
  expect(noticesFor({}, { spec: {} })).toBeUndefined()
  expect(decide(anObservedService()).notices).toBeUndefined()
})

test.each([
  ['without auth', {}],
  ['with auth off', { auth: { enabled: false } }],
])('PLAN-15 a service %s whose pods are given keys is said to restart, and why', (_, spec) => {
  expect(noticesFor(spec, { spec, keys: stamp, env: (ours) => [...ours, keysVariable] })).toEqual([
    'pods restart, because their template changes: volumes, volumeMounts, variable AUTH_ED25519_KEYS; the service needs no tokens (spec.auth.enabled is not true), but its pods are given keys: a ledger that has keys and needs no tokens refuses to start, so the keys are removed',
  ])
})

test.for([
  { why: 'its image', spec: { auth, image: { tag: 'v2' } }, changes: 'image' },
  { why: 'a variable', spec: { auth, debug: true }, changes: 'variable DEBUG' },
  { why: 'an annotation', spec: { auth, podAnnotations: { note: 'new' } }, changes: 'annotations' },
  { why: 'a node selector', spec: { auth, nodeSelector: { a: 'b' } }, changes: 'nodeSelector' },
])('PLAN-15 a service whose pods restart for $why says so', ({ spec, changes }) => {
  const former = { auth, image: { tag: 'v1' } }
  const notice = noticesFor({ image: { tag: 'v1' }, ...spec }, { spec: former, keys: stamp })
  expect(notice).toEqual([`pods restart, because their template changes: ${changes}`])
})

test('PLAN-15 a start script that has to go is named', () => {
  const script = startScript.replace(':$raft_port"', ':$GRPC_PORT"')
  const notice = ['pods restart, because their template changes: start script']
  expect(noticesFor({ auth }, { spec: { auth }, keys: stamp, script })).toEqual(notice)
})

test('PLAN-15 a variable that is there twice is named', () => {
  const extraEnv = [{ name: 'DEBUG', value: 'true' }]
  const former = { spec: {}, env: (ours: readonly EnvVar[]) => [...ours, ...extraEnv] }
  const notice = ['pods restart, because their template changes: variable DEBUG, which is there more than once']
  expect(noticesFor({ extraEnv }, former)).toEqual(notice)
})

test('PLAN-15 a service with auth and without keys is said to get them', () => {
  const [notice] = noticesFor({ auth }, { spec: { auth } }) ?? []
  expect(notice).toMatch(/variable AUTH_ED25519_KEYS$/)
  const issuer = { ...auth, issuer: 'https://issuer.example' }
  expect(noticesFor({ auth: issuer }, { spec: { auth: issuer } })).toBeUndefined()
})

test('PLAN-15 a service whose workload is not written has no note', () => {
  expect(noticesFor({ restore: true, debug: true }, { spec: {} })).toBeUndefined()
})

test('PLAN-15 a claimed service says that pods restart as long as that is to be done', () => {
  const workload = aFormerWorkload({ spec: {} })
  const { notices } = decide(anObservedService({ spec: { debug: true }, children: { workload } }))
  expect(notices).toEqual(['pods restart, because their template changes: variable DEBUG'])
})
