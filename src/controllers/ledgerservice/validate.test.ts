import { expect, test } from 'vitest'
import { aService } from '../../../test/kit/rendered-service.ts'
import { faultsOf } from './validate.ts'

test.each([
  ['nothing', {}],
  ['a single replica', { replicas: 1 }],
  ['a folder within another', { walDir: '/data/app/wal' }],
  ['TLS with a Secret', { tls: { enabled: true, secretName: 'certificate' } }],
  ['TLS that is off, without one', { tls: { enabled: false } }],
  ['a plain word on tokens', { extraEnv: [{ name: 'AUTH_ENABLED', value: 'false' }] }],
  ['ports of the Service that are the replicas’', { service: { httpPort: 9000, grpcPort: 8888 } }],
])('LSV-32 %s makes sense', (_, spec) => {
  expect(faultsOf(aService(spec))).toEqual([])
})

test.each([
  ['an even number of replicas', { replicas: 2 }, 'spec.replicas is 2: a Raft cluster needs an odd number'],
  ['one port for two', { httpPort: 8888 }, 'spec.httpPort and spec.grpcPort are the same port: 8888'],
  [
    'a port that replicas use among each other',
    { grpcPort: 7777 },
    'spec.grpcPort and spec.bindAddr are the same port',
  ],
  [
    'one port of the Service for two',
    { service: { grpcPort: 9000 } },
    'spec.service.httpPort and spec.service.grpcPort',
  ],
  ['what is no port', { httpPort: 70_000 }, 'spec.httpPort is 70000, which is no port'],
  ['one folder for two', { walDir: '/data/app/' }, 'spec.walDir and spec.dataDir are the same folder: /data/app'],
  ['a folder that is taken', { dataDir: '/auth-keys' }, 'spec.dataDir and what is mounted anyway are the same folder'],
  ['a folder from nowhere', { walDir: 'raft' }, 'spec.walDir does not begin with a slash'],
  ['TLS without a Secret', { tls: { enabled: true } }, 'spec.tls is enabled and names no Secret'],
  [
    'a word on tokens that lies elsewhere',
    { extraEnv: [{ name: 'AUTH_ENABLED', valueFrom: { configMapKeyRef: { name: 'settings', key: 'auth' } } }] },
    'spec.extraEnv gives AUTH_ENABLED a value that only a pod gets to know: make it a plain "true" or "false", or',
  ],
  [
    'a word on tokens that refers to another',
    { extraEnv: [{ name: 'AUTH_ENABLED', value: '$(ASKS)' }] },
    'or take it out and set spec.auth.enabled',
  ],
  [
    'a ledger that is to read other keys',
    { extraEnv: [{ name: 'AUTH_ED25519_KEYS', value: '/mine' }] },
    'spec.extraEnv sets AUTH_ED25519_KEYS',
  ],
  ['signing without a Secret', { responseSigning: { enabled: true } }, 'spec.responseSigning is enabled and names no'],
])('LSV-32 %s makes no sense', (_, spec, fault) => {
  expect(faultsOf(aService(spec))).toEqual([expect.stringContaining(fault)])
})

test('LSV-32 a name is as long as the longest name of its objects allows', () => {
  expect(faultsOf(aService({}, 'x'.repeat(47)))).toEqual([])
  expect(faultsOf(aService({}, 'x'.repeat(48)))).toEqual(['metadata.name has 48 characters, and may have 47'])
})
