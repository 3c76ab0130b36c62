import { expect, test } from 'vitest'
import { aService, renderedPaths } from '../../../../test/kit/rendered-service.ts'
import { serviceNames } from '../../../pure/names.ts'
import { renderPod } from './pod.ts'
import { raftPortOf } from './ports.ts'
import { renderProbes } from './probes.ts'
import { renderScheduling } from './scheduling.ts'

const hashOf = (spec: object) =>
  renderPod(aService(spec), undefined).metadata.annotations[serviceNames.specHash as 'ledger.formance.com/spec-hash']

test('LSV-15 the hash of the spec changes with the pods, and with nothing else', () => {
  expect(hashOf({ debug: true })).not.toBe(hashOf({}))
  expect(hashOf({ podAnnotations: { restarted: 'today' } })).not.toBe(hashOf({}))
  expect(hashOf({ replicas: 5, service: { httpPort: 80 }, ingress: { enabled: false } })).toBe(hashOf({}))
})

test('LSV-15 an annotation of the user’s cannot stand for our hash', () => {
  expect(hashOf({ podAnnotations: { [serviceNames.specHash]: 'mine' } })).toMatch(/^[0-9a-f]{64}$/)
})

test('LSV-15 a label of the user’s cannot make the pods another service’s', () => {
  const paths = renderedPaths(aService({ additionalLabels: { 'app.kubernetes.io/instance': 'other', team: 'a' } }))
  const selector = 'Service ledger-books.spec.selector'
  expect(paths[`${selector}.app.kubernetes.io/instance`]).toBe('books')
  expect(paths[`${selector}.team`]).toBe('a')
})

test('LSV-15 a probe that asks in another way does not ask in ours too', () => {
  const { readinessProbe } = renderProbes(aService({ readinessProbe: { tcpSocket: { port: 'grpc' } } }))
  expect(readinessProbe).toEqual({
    tcpSocket: { port: 'grpc' },
    initialDelaySeconds: 5,
    periodSeconds: 5,
    failureThreshold: 3,
  })
})

test('LSV-15 a zero in a probe says nothing', () => {
  const zeros = {
    initialDelaySeconds: 0,
    timeoutSeconds: 0,
    periodSeconds: 0,
    successThreshold: 0,
    failureThreshold: 0,
  }
  expect(renderProbes(aService({ livenessProbe: zeros }))).toEqual(renderProbes(aService({})))
  const { livenessProbe } = renderProbes(aService({ livenessProbe: { terminationGracePeriodSeconds: 0 } }))
  expect(livenessProbe).toHaveProperty('terminationGracePeriodSeconds', 0)
})

test.each([
  ['latest', 'IfNotPresent', 'Always'],
  ['v1', 'IfNotPresent', 'IfNotPresent'],
  ['v1', '', undefined],
])('LSV-9 an image with tag %s and pull policy %j is pulled %s', (tag, pullPolicy, expected) => {
  const [container] = renderPod(aService({ image: { tag, pullPolicy } }), undefined).spec.containers
  expect(container?.imagePullPolicy).toBe(expected)
})

test('LSV-9 replicas are spread among themselves, unless the service says among which pods', () => {
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }
  const others = { ...constraint, labelSelector: { matchLabels: { app: 'others' } } }
  const all = { ...constraint, labelSelector: {} }
  const { topologySpreadConstraints } = renderScheduling(
    aService({ topologySpreadConstraints: [constraint, others, all], additionalLabels: { team: 'a' } }),
  )
  const matchLabels = { team: 'a', 'app.kubernetes.io/name': 'ledger', 'app.kubernetes.io/instance': 'books' }
  expect(topologySpreadConstraints).toEqual([{ ...constraint, labelSelector: { matchLabels } }, others, all])
})

test('LSV-15 replicas keep apart besides what the user wishes', () => {
  const wish = { weight: 1, podAffinityTerm: { topologyKey: 'zone' } }
  const { affinity } = renderScheduling(
    aService({
      affinity: {
        nodeAffinity: { any: 1 },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [wish] },
      },
      podAntiAffinity: { weight: 7 },
    }),
  )
  const labelSelector = { matchLabels: { 'app.kubernetes.io/name': 'ledger', 'app.kubernetes.io/instance': 'books' } }
  const ours = { weight: 7, podAffinityTerm: { labelSelector, topologyKey: 'kubernetes.io/hostname' } }
  expect(affinity).toEqual({
    nodeAffinity: { any: 1 },
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [wish, ours] },
  })
})

test.each([
  ['0.0.0.0:7000', 7000],
  ['[::]:7001', 7001],
  ['0.0.0.0', 7777],
  [':0', 7777],
  ['0.0.0.0:70000', 7777],
])('LSV-15 replicas that listen on %s reach each other on port %i', (bindAddr, port) => {
  expect(raftPortOf(bindAddr)).toBe(port)
})
