import { withoutStamp } from '../../pure/key-rollout.ts'
import { isLike } from '../../pure/likeness.ts'
import { fieldsOfAny } from '../../pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../pure/names.ts'
import { ownedPartOf } from '../../pure/owned-part.ts'
import type { LiveWorkload } from './observed.ts'
import type { renderStatefulSet } from './render/stateful-set.ts'

type DesiredWorkload = ReturnType<typeof renderStatefulSet>
type Template = DesiredWorkload['spec']['template']

/** What the server adds to a pod template where nobody says anything, or says zero. */
export const filledIn: ReadonlySet<string> = new Set([
  'apiVersion',
  'scheme',
  'timeoutSeconds',
  'periodSeconds',
  'failureThreshold',
  'successThreshold',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'restartPolicy',
  'terminationGracePeriodSeconds',
  'dnsPolicy',
  'schedulerName',
  'serviceAccount',
  'defaultMode',
  'divisor',
])

/**
 * The workload with the start script and the hash that are there, as long as nothing else is wanted: neither a change of
 * operators nor another version of ours is a reason to restart a ledger.
 */
export const withRetained = (desired: DesiredWorkload, live: LiveWorkload | undefined): DesiredWorkload => {
  const kept = live && keptTemplate(desired.spec.template, ownTemplateOf(live))
  return kept === undefined ? desired : { ...desired, spec: { ...desired.spec, template: kept } }
}

type OwnTemplate = NonNullable<LiveWorkload['spec']>['template']

/** As much of the template as we wrote, or the former operator. */
const ownTemplateOf = (live: LiveWorkload): OwnTemplate => {
  const { manager, predecessors } = serviceSuccession
  const owned = fieldsOfAny(live.metadata.managedFields, [manager, ...predecessors])
  return (ownedPartOf(live, owned) as LiveWorkload).spec?.template
}

const keptTemplate = (template: Template, own: OwnTemplate): Template | undefined => {
  const annotations = own?.metadata?.annotations ?? {}
  const hash = annotations[serviceNames.specHash]
  const script = own?.spec?.containers?.find(({ name }) => name === 'ledger')?.command?.[2]
  if (hash === undefined || script === undefined) return undefined
  const { metadata, spec } = template
  const kept = {
    metadata: { ...metadata, annotations: { ...metadata.annotations, [serviceNames.specHash]: hash } },
    spec: {
      ...spec,
      containers: spec.containers.map((container) => ({
        ...container,
        command: container.command.with(2, script),
      })),
    },
  }
  const isSame = isLike(withoutKeys(kept, kept.metadata.annotations), withoutKeys(own, annotations), filledIn)
  return isSame ? kept : undefined
}

/** Which keys pods load is not what they are. */
const withoutKeys = (
  template: { readonly metadata?: object } | undefined,
  annotations: Readonly<Record<string, string>>,
) => ({
  ...template,
  metadata: { ...template?.metadata, annotations: withoutStamp(annotations) },
})
