import { keep } from '../../src/pure/keep.ts'
import { ConfigMap, type Kind } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { Plan } from '../../src/pure/plan.ts'
import type { Reads } from '../../src/kube/reads.ts'
import type { Controller } from '../../src/runtime/controller.ts'

export interface Widget extends KubeObject {
  readonly spec?: { readonly size?: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] }
}

export interface WidgetSeen {
  readonly object: Widget
  readonly child: KubeObject | undefined
}

/** A kind of a group of its own, so that its definition may come and go. */
export const widgetKind = (group: string): Kind => ({
  group,
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
  isCustom: true,
})

export const widgetCrd = ({ group, plural, kind, version }: Kind) => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural },
    scope: 'Namespaced',
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

const manager = 'widget-keeper'
const label = 'widgets.example.com/name'

/** Somebody else's operator: keeps one ConfigMap for each Widget. */
export const widgetController = (kind: Kind, own: Partial<Controller<WidgetSeen>> = {}): Controller<WidgetSeen> => ({
  name: manager,
  reconciles: kind,
  watches: [
    {
      view: { kind, choice: {}, extent: 'whole', indexes: {} },
      requests: ({ metadata }) => [`${metadata.namespace}/${metadata.name}`],
    },
    {
      view: { kind: ConfigMap, choice: { label }, extent: 'metadata', indexes: {} },
      requests: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[label]}`],
    },
  ],
  concurrency: 2,
  recipes: {},
  fieldsWhenFailed: {},
  rights: [
    { kind, verbs: ['get', 'list', 'watch'], where: 'watched' },
    { kind, subresource: 'status', verbs: ['patch'], where: 'watched' },
    { kind: ConfigMap, verbs: ['get', 'list', 'watch', 'create', 'patch'], where: 'watched' },
  ],
  observe: (key, reads) => Promise.resolve(lookAt(kind, key, reads)),
  decide: planFor,
  ...own,
})

export const lookAt = (kind: Kind, key: string, reads: Reads): WidgetSeen | undefined => {
  const [namespace = '', name = ''] = key.split('/')
  const object = reads.get<Widget>(kind, { namespace, name })
  return object && { object, child: reads.get(ConfigMap, { namespace, name }) }
}

export const planFor = ({ object, child }: WidgetSeen): Plan => {
  const { namespace = '', name } = object.metadata
  const desired = { metadata: { namespace, name, labels: { [label]: name } }, data: { size: object.spec?.size ?? 'm' } }
  return {
    stage: child === undefined ? 'bare' : 'kept',
    steps: [keep({ kind: ConfigMap, manager, predecessors: [] }, child, desired)],
    status: {
      fields: {},
      fieldsWhenFailed: {},
      ready: { status: 'True', reason: 'Kept', message: 'the ConfigMap is there' },
      others: [],
    },
    lookAgain: 'on-change',
  }
}
