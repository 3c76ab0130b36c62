import { delimiter } from 'node:path'
import { expect, test } from 'vitest'
import { apiServerOfPod, kubeconfigFiles, ledgerImage } from '../../src/config.ts'

const home = '/somewhere'
const both = { KUBECONFIG: ['a', '', 'b', 'a'].join(delimiter) }

test('a named kubeconfig is the only one', () => {
  expect(kubeconfigFiles('mine', both, home)).toEqual(['mine'])
})

test('else KUBECONFIG lists them, each once', () => {
  expect(kubeconfigFiles(undefined, both, home)).toEqual(['a', 'b'])
})

test.for([{}, { KUBECONFIG: '' }])('else, with %j, it is the one in the home directory', (env) => {
  expect(kubeconfigFiles(undefined, env, home)).toEqual(['/somewhere/.kube/config'])
})

test('a pod is told where its API server is', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
  expect(apiServerOfPod(env)).toEqual({ host: '10.0.0.1', port: '443' })
})

test.for([
  {},
  { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
  { KUBERNETES_SERVICE_HOST: '', KUBERNETES_SERVICE_PORT: '443' },
])('outside a pod, with %j, a sentence says what to do', (env) => {
  expect(() => apiServerOfPod(env)).toThrow('name a cluster with --kubeconfig FILE')
})

test.each([
  ['nothing', {}, { repository: 'ghcr.io/formancehq/ledger', tag: 'latest' }],
  ['a tag', { LEDGER_IMAGE_TAG: 'v2' }, { repository: 'ghcr.io/formancehq/ledger', tag: 'v2' }],
  [
    'both',
    { LEDGER_IMAGE_REPOSITORY: 'r.example/l', LEDGER_IMAGE_TAG: 'v2' },
    { repository: 'r.example/l', tag: 'v2' },
  ],
  ['nothing in earnest', { LEDGER_IMAGE_TAG: ' ' }, { repository: 'ghcr.io/formancehq/ledger', tag: 'latest' }],
])('the image of a ledger that names none is as the environment says: %s', (_, env, image) => {
  expect(ledgerImage(env)).toEqual(image)
})
