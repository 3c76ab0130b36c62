import { expect, test } from 'vitest'
import { anEntry } from '../../../test/fixtures/agent.ts'
import golden from '../../../test/fixtures/ledger-services.json' with { type: 'json' }
import { aWorkload } from '../../../test/fixtures/service.ts'
import { goldenWorkloads } from '../../../test/kit/golden-objects.ts'
import { aService, pathsOf } from '../../../test/kit/rendered-service.ts'
import { type KeyStamp, stampMarks, stampOfPods } from '../../pure/key-rollout.ts'
import { serviceNames } from '../../pure/names.ts'
import type { FieldSet, ManagedFieldsEntry } from '../../pure/object.ts'
import type { LiveWorkload } from './observed.ts'
import { startScript } from './render/start-script.ts'
import { renderStatefulSet } from './render/stateful-set.ts'
import { withRetained } from './retained.ts'

const { specHash } = serviceNames

const byUs = (fieldsV1: FieldSet = { 'f:spec': { 'f:template': {} } }) =>
  anEntry({ manager: serviceNames.manager, fieldsV1 })

interface Left {
  readonly spec?: object
  readonly stamp?: KeyStamp
  readonly annotations?: Readonly<Record<string, string | undefined>>
  readonly pod?: object
  readonly container?: object
  readonly sidecars?: readonly object[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

/** What another version of ours left of a service, with another start script and another hash. What is undefined is not there. */
const left = ({
  spec,
  stamp,
  annotations,
  pod,
  container,
  sidecars = [],
  managedFields = [byUs()],
}: Left = {}): LiveWorkload => {
  const { template } = renderStatefulSet(aService(spec), stamp).spec
  const marks = { ...template.metadata.annotations, [specHash]: 'former hash', ...annotations }
  const [ledger] = template.spec.containers
  const containers = [{ ...ledger, command: ['/bin/sh', '-c', 'former script'], ...container }, ...sidecars]
  const { metadata, spec: workload, ...rest } = aWorkload()
  const whole = {
    ...rest,
    metadata: { ...metadata, managedFields },
    spec: {
      ...workload,
      template: {
        metadata: { ...template.metadata, annotations: marks },
        spec: { ...template.spec, containers, ...pod },
      },
    },
  }
  return JSON.parse(JSON.stringify(whole)) as LiveWorkload
}

const madeFrom = ({ spec }: LiveWorkload | ReturnType<typeof renderStatefulSet>) => ({
  script: spec?.template?.spec?.containers?.[0]?.command?.[2],
  hash: new Map(Object.entries(spec?.template?.metadata?.annotations ?? {})).get(specHash),
})

const sidecar = { name: 'proxy', image: 'example.com/proxy:1' }
const former = { script: 'former script', hash: 'former hash' }

test.for(golden.services)(
  'LSV-28 pods that the former operator left in $metadata.namespace keep their start script and hash, and all else is ours',
  ({ metadata: { name, namespace }, spec }) => {
    const workloads = goldenWorkloads.filter(({ kind }) => kind === 'StatefulSet')
    const live = workloads.find(({ metadata }) => metadata.namespace === namespace) as object as LiveWorkload
    const desired = renderStatefulSet(aService(spec, name, namespace), stampOfPods(live))
    const retained = withRetained(desired, live)
    expect(madeFrom(retained)).toEqual(madeFrom(live))
    expect(pathsOf([named(retained)])).toEqual(pathsOf([named(desired)]))
  },
)

const named = (workload: ReturnType<typeof renderStatefulSet>) => ({ ...workload, kind: 'StatefulSet' })

interface Case {
  readonly why: string
  readonly wanted?: object
  readonly stamp?: KeyStamp
  readonly was: Left
}

/** All that we say of a pod, field by field. */
const ofPod = (ofLedger: FieldSet = {}): FieldSet => ({
  'f:spec': {
    'f:template': {
      'f:metadata': { 'f:labels': {}, 'f:annotations': { [`f:${specHash}`]: {} } },
      'f:spec': { 'f:serviceAccountName': {}, 'f:containers': { 'k:{"name":"ledger"}': ofLedger } },
    },
  },
})

test.for<Case>([
  { why: 'nothing else is wanted', was: {} },
  { why: 'there shall be more of them', wanted: { replicas: 5 }, was: {} },
  {
    why: 'an amount is spelled in another way',
    wanted: { resources: { limits: { cpu: '0.5' } } },
    was: { spec: { resources: { limits: { cpu: '500m' } } } },
  },
  {
    why: 'they have a label that is called as amounts are',
    wanted: { additionalLabels: { limits: 'none' } },
    was: { spec: { additionalLabels: { limits: 'none' } } },
  },
  {
    why: 'the server has filled in what nobody said of the pod',
    was: { pod: { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', schedulerName: 'any', securityContext: {} } },
  },
  {
    why: 'the server has filled in what nobody said of the container',
    was: { container: { imagePullPolicy: 'Always', terminationMessagePolicy: 'File', resources: {} } },
  },
  {
    why: 'the server has filled in what nobody said of a variable',
    wanted: { extraEnv: [{ name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }] },
    was: {
      spec: {
        extraEnv: [{ name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '0' } } }],
      },
    },
  },
  {
    why: 'the server has left out a variable’s empty value',
    wanted: { extraEnv: [{ name: 'EMPTY', value: '' }] },
    was: { spec: { extraEnv: [{ name: 'EMPTY' }] } },
  },
  {
    why: 'the server has left out a toleration’s empty effect',
    wanted: { tolerations: [{ operator: 'Exists', effect: '' }] },
    was: { spec: { tolerations: [{ operator: 'Exists' }] } },
  },
  {
    why: 'the server has left out zeros of a probe, and filled in others',
    wanted: { livenessProbe: { initialDelaySeconds: 0, timeoutSeconds: 0, periodSeconds: 0, failureThreshold: 0 } },
    was: {
      container: {
        livenessProbe: {
          httpGet: { path: '/livez', port: 'http', scheme: 'HTTP' },
          ...{
            initialDelaySeconds: 15,
            timeoutSeconds: 1,
            periodSeconds: 10,
            failureThreshold: 3,
            successThreshold: 1,
          },
        },
      },
    },
  },
  {
    why: 'the server has put in a probe’s empty name',
    wanted: { readinessProbe: { grpc: { port: 8888 } } },
    was: { spec: { readinessProbe: { grpc: { port: 8888, service: '' } } } },
  },
  {
    why: 'one part of the template is ours and the other the former operator’s',
    was: {
      managedFields: [
        byUs({ 'f:spec': { 'f:template': { 'f:metadata': {} } } }),
        anEntry({ manager: 'ledger-operator', fieldsV1: { 'f:spec': { 'f:template': { 'f:spec': {} } } } }),
      ],
    },
  },
  {
    why: 'somebody else has added something',
    was: {
      annotations: { 'example.com/note': 'theirs' },
      pod: { hostNetwork: true },
      sidecars: [sidecar],
      managedFields: [byUs(ofPod())],
    },
  },
])('LSV-28 pods keep their start script and hash when $why', ({ wanted, was }) => {
  expect(madeFrom(withRetained(renderStatefulSet(aService(wanted), undefined), left(was)))).toEqual(former)
})

test.for<Case>([
  { why: 'another image is wanted', wanted: { image: { tag: 'v2' } }, was: {} },
  { why: 'another variable is wanted', wanted: { debug: true }, was: {} },
  { why: 'a variable is not wanted any more', was: { spec: { extraEnv: [{ name: 'MORE', value: '1' }] } } },
  { why: 'another label is wanted', wanted: { additionalLabels: { team: 'a' } }, was: {} },
  { why: 'another label without a value is wanted', wanted: { additionalLabels: { team: '' } }, was: {} },
  { why: 'nodes with a label are wanted', wanted: { nodeSelector: { 'example.com/fast': '' } }, was: {} },
  { why: 'another annotation is wanted', wanted: { podAnnotations: { note: 'new' } }, was: {} },
  { why: 'an annotation is not wanted any more', was: { spec: { podAnnotations: { note: 'old' } } } },
  {
    why: 'another amount is wanted',
    wanted: { resources: { limits: { cpu: '1' } } },
    was: { spec: { resources: { limits: { cpu: '500m' } } } },
  },
  {
    why: 'something else is wanted than the server has filled in',
    wanted: { image: { tag: 'v1', pullPolicy: 'Never' } },
    was: { spec: { image: { tag: 'v1' } }, container: { imagePullPolicy: 'IfNotPresent' } },
  },
  { why: 'they get keys for the first time', was: {}, stamp: { hash: 'one', revision: 1 } },
  { why: 'we left a container that is not wanted any more', was: { sidecars: [sidecar] } },
  { why: 'they have no hash', was: { annotations: { [specHash]: undefined } } },
  {
    why: 'their start script is an early one of ours, which joins at the wrong port',
    was: { container: { command: ['/bin/sh', '-c', startScript.replace(':$raft_port"', ':$GRPC_PORT"')] } },
  },
  { why: 'they have no start script', was: { container: { command: ['/ledger'] } } },
  { why: 'they have no command', was: { container: { command: undefined } } },
  { why: 'none of their containers is the ledger', was: { container: { name: 'other' } } },
  {
    why: 'somebody else has changed the start script',
    was: { managedFields: [byUs(ofPod({ 'f:name': {}, 'f:image': {}, 'f:env': {} }))] },
  },
  {
    why: 'somebody else has changed the image',
    was: { managedFields: [byUs(ofPod({ 'f:command': {}, 'f:env': {} }))] },
  },
  { why: 'neither we nor the former operator wrote any of it', was: { managedFields: [byUs({ 'f:metadata': {} })] } },
])('LSV-28 pods get our start script and hash when $why', ({ wanted, stamp, was }) => {
  const desired = renderStatefulSet(aService(wanted), stamp)
  expect(withRetained(desired, left(was))).toEqual(desired)
})

test('LSV-28 pods get our start script and hash when there are none yet', () => {
  const desired = renderStatefulSet(aService(), undefined)
  expect(withRetained(desired, undefined)).toBe(desired)
})

test('LSV-28 pods that shall load other keys keep their start script and hash, and get the marks of those keys', () => {
  const spec = { auth: { enabled: true } }
  const stamp = { hash: 'two', revision: 2 }
  const live = left({ spec, stamp: { hash: 'one', revision: 1 } })
  const { metadata } = withRetained(renderStatefulSet(aService(spec), stamp), live).spec.template
  expect(metadata.annotations).toEqual({ [specHash]: former.hash, ...stampMarks(stamp) })
})
