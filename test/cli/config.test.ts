import { delimiter } from 'node:path'
import { expect, test } from 'vitest'
import { apiServerOfPod, kubeconfigFiles } from '../../src/config.ts'

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
