import fc from 'fast-check'
import type { KubeObject } from '../../../src/pure/object.ts'
import { type Dice, diceOf, leavesOf, pathTo, type Place, placesOf } from './places.ts'
import type { Patch } from './server.ts'

/** An operator that has not been stopped although we take over from it. */
export const formerManager = 'former-operator'

/** Something that another manager does to an object. What exactly depends on the object, and on the dice. */
export interface Edit {
  readonly by: string
  readonly what: keyof typeof edits
  readonly dice: number
}

/** The patch of an edit; undefined when the object has nothing that it could be done to. */
export const patchOf = (live: KubeObject, { what, dice }: Edit): Patch | undefined => edits[what](live, diceOf(dice))

type Patching = (live: KubeObject, dice: Dice) => Patch | undefined

const jsonPatch = (op: 'replace' | 'remove' | 'add', path: string, value?: unknown): Patch => ({
  as: 'json-patch',
  body: [{ op, path, value }],
})

const change: Patching = (live, dice) => {
  const leaf = dice.oneOf(leavesOf(live))
  return leaf && jsonPatch('replace', pathTo(leaf), another(leaf))
}

const writeAgain: Patching = (live, dice) => {
  const leaf = dice.oneOf(leavesOf(live))
  return leaf && jsonPatch('replace', pathTo(leaf), leaf.value)
}

const remove: Patching = (live, dice) => {
  const place = dice.oneOf(placesOf(live))
  return place && jsonPatch('remove', pathTo(place))
}

const freeMaps = ['labels', 'annotations', 'data', 'binaryData', 'limits', 'requests', 'matchLabels', 'nodeSelector']
const mapsIn = (live: KubeObject) => placesOf(live).filter(({ steps }) => freeMaps.includes(String(steps.at(-1))))

const theirsIn = ({ steps }: Place): Readonly<Record<string, string>> => {
  const map = steps.at(-1)
  if (map === 'limits' || map === 'requests') return { 'ephemeral-storage': '1Gi' }
  return { theirs: 'bWluZQ==' }
}

const addKey: Patching = (live, dice) => {
  const map = dice.oneOf(mapsIn(live))
  return map && jsonPatch('replace', pathTo(map), { ...(map.value as object), ...theirsIn(map) })
}

const replaceMap: Patching = (live, dice) => {
  const map = dice.oneOf(mapsIn(live))
  return map && jsonPatch('replace', pathTo(map), theirsIn(map))
}

/** A new item for each list that has room for one; those below `template` are the pod's. */
const items: Readonly<Record<string, unknown>> = {
  containers: { name: 'sidecar', image: 'registry.example/sidecar:1' },
  env: { name: 'THEIRS', value: 'x' },
  volumes: { name: 'theirs', emptyDir: {} },
  imagePullSecrets: { name: 'theirs' },
  secrets: { name: 'theirs' },
  args: '--theirs',
  tolerations: { key: 'theirs', operator: 'Exists' },
  rules: { apiGroups: [''], resources: ['services'], verbs: ['get'] },
  subjects: { kind: 'User', name: 'theirs', apiGroup: 'rbac.authorization.k8s.io' },
  ingress: { ports: [{ port: 1 }] },
  egress: {},
  from: { podSelector: {} },
  verbs: 'delete',
  externalIPs: '192.0.2.2',
}

const itemFor = ({ steps }: Place): unknown => {
  const list = String(steps.at(-1))
  if (list !== 'ports') return items[list]
  return steps.includes('template')
    ? { name: 'theirs', containerPort: 61_000, protocol: 'TCP' }
    : { name: 'theirs', port: 61_000, protocol: 'TCP' }
}

const addItem: Patching = (live, dice) => {
  const list = dice.oneOf(placesOf(live).filter((place) => Array.isArray(place.value) && itemFor(place) !== undefined))
  return list && jsonPatch('add', `${pathTo(list)}/-`, itemFor(list))
}

/** Takes every item away and puts another one there. */
const replaceList: Patching = (live, dice) => {
  const list = dice.oneOf(placesOf(live).filter((place) => Array.isArray(place.value) && itemFor(place) !== undefined))
  return list && jsonPatch('replace', pathTo(list), [itemFor(list)])
}

const scale: Patching = (_live, dice) => ({
  as: 'merge-patch',
  body: { spec: { replicas: dice.below(4) } },
  subresource: 'scale',
})

const restart: Patching = (_live, dice) => {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': `2026-01-01T00:00:0${dice.below(9)}Z` }
  return { as: 'merge-patch', body: { spec: { template: { metadata: { annotations } } } } }
}

const label: Patching = () => ({ as: 'merge-patch', body: { metadata: { labels: { theirs: 'yes' } } } })

/** Part of what there is, the server's defaults included. */
const applyPart: Patching = (live, dice) => {
  const {
    metadata,
    apiVersion: _version,
    kind: _kind,
    status: _status,
    ...rest
  } = live as KubeObject & { status?: unknown }
  const part = partOf({ labels: metadata.labels, ...rest }, dice) as Readonly<Record<string, unknown>>
  const { labels, ...body } = part
  return { as: 'apply-patch', body: { ...body, metadata: { name: metadata.name, labels } } }
}

/** The same with one value changed. */
const applyChange: Patching = (live, dice) => {
  const leaf = dice.oneOf(leavesOf(live))
  return leaf && applyPart(withValue(live, leaf.steps, another(leaf)) as KubeObject, dice)
}

const keys = ['name', 'containerPort', 'protocol', 'port', 'mountPath', 'ip']

const partOf = (value: unknown, dice: Dice): unknown => {
  if (Array.isArray(value)) return value.filter(() => dice.below(3) > 0).map((item: unknown) => partOf(item, dice))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => keys.includes(key) || dice.below(3) > 0)
  return Object.fromEntries(kept.map(([key, below]) => [key, partOf(below, dice)]))
}

const withValue = (value: unknown, [step, ...steps]: Place['steps'], other: unknown): unknown => {
  if (step === undefined) return other
  const copy = structuredClone(value) as Record<string | number, unknown>
  return Object.assign(copy, { [step]: withValue(copy[step], steps, other) })
}

const others: Readonly<Record<string, unknown>> = {
  TCP: 'UDP',
  UDP: 'TCP',
  None: 'ClientIP',
  ClientIP: 'None',
  ClusterIP: 'NodePort',
  Recreate: 'RollingUpdate',
  OnDelete: 'RollingUpdate',
  IfNotPresent: 'Always',
  '25%': '30%',
}

/** Another value of the same sort. */
const another = ({ value, steps }: Place): unknown => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return 'other'
  if (steps.includes('data') || steps.includes('binaryData')) return 'b3RoZXI='
  return others[value] ?? (/^\d+(?:m|Mi|Gi)?$/.test(value) ? `1${value}` : `${value}0`)
}

const edits = {
  change,
  writeAgain,
  remove,
  addKey,
  replaceMap,
  addItem,
  replaceList,
  scale,
  restart,
  label,
  applyPart,
  applyChange,
} satisfies Readonly<Record<string, Patching>>

export const editing: fc.Arbitrary<Edit> = fc.record({
  by: fc.constantFrom('somebody', 'autoscaler', formerManager),
  what: fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[])),
  dice: fc.nat(),
})
