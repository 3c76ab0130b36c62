import { withoutStamp } from '../../pure/key-rollout.ts'
import { isLike } from '../../pure/likeness.ts'
import { fieldsOfAny } from '../../pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../pure/names.ts'
import { ownedPartOf } from '../../pure/owned-part.ts'
import { inOrderOf } from './env-order.ts'
import type { LiveWorkload } from './observed.ts'
import { joinsAtGrpcPort } from './render/start-script.ts'
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
 * The workload with the start script, the hash and the order of variables that are there, as long as nothing else is
 * wanted: neither a change of operators nor another version of ours is a reason to restart a ledger.
 */
export const withRetained = (desired: DesiredWorkload, live: LiveWorkload | undefined): DesiredWorkload => {
  const kept = live && keptTemplate(desired.spec.template, ownTemplateOf(live))
  return kept === undefined ? desired : { ...desired, spec: { ...desired.spec, template: kept } }
}

/** What changes in the pods' template besides their keys, by name; nothing when all of it is retained. */
export const templateChanges = (desired: DesiredWorkload, live: LiveWorkload): readonly string[] => {
  const { template } = desired.spec
  const own = ownTemplateOf(live)
  if (keptTemplate(template, own) !== undefined) return []
  const [container] = template.spec.containers
  const ledger = own?.spec?.containers?.find(({ name }) => name === 'ledger')
  const annotations = own?.metadata?.annotations ?? {}
  const changes = [
    ...differing(unhashed(template.metadata), unhashed({ ...own?.metadata, annotations })),
    ...differing({ ...template.spec, containers: undefined }, { ...own?.spec, containers: undefined }),
    ...differing(
      { ...container, command: undefined, env: undefined },
      { ...ledger, command: undefined, env: undefined },
    ),
    ...differing(byName(container?.env), byName(ledger?.env)).map((name) => `variable ${name}`),
    ...repeated(ledger?.env).map((name) => `variable ${name}, which is there more than once`),
  ]
  return changes.length === 0 ? ['start script'] : changes
}

const unhashed = (metadata: { readonly annotations: Readonly<Record<string, string>> }) => {
  const { [serviceNames.specHash]: _, ...annotations } = withoutStamp(metadata.annotations)
  return { ...metadata, annotations }
}

type Named = readonly { readonly name: string }[]

const byName = (variables: Named = []) => Object.fromEntries(variables.map((variable) => [variable.name, variable]))

/** The former operator wrote a variable of the user's beside its own of the same name. */
const repeated = (variables: Named = []): readonly string[] => [
  ...new Set(variables.map(({ name }) => name).filter((name, place, names) => names.indexOf(name) < place)),
]

const differing = (wanted: object, found: object): readonly string[] => {
  const [ours, theirs] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))]
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (field) => !isLike({ [field]: ours.get(field) as unknown }, { [field]: theirs.get(field) as unknown }, filledIn),
  )
}

type OwnTemplate = NonNullable<LiveWorkload['spec']>['template']

/** As much of the template as we wrote, or the former operator. */
const ownTemplateOf = (live: LiveWorkload): OwnTemplate => {
  const { manager, predecessors } = serviceSuccession
  const owned = fieldsOfAny(live.metadata.managedFields, [manager, ...predecessors])
  return (ownedPartOf(live, owned) as Partial<LiveWorkload>).spec?.template
}

const keptTemplate = (template: Template, own: OwnTemplate): Template | undefined => {
  const annotations = own?.metadata?.annotations ?? {}
  const hash = annotations[serviceNames.specHash]
  const ledger = own?.spec?.containers?.find(({ name }) => name === 'ledger')
  const script = ledger?.command?.[2]
  if (hash === undefined || script === undefined || joinsAtGrpcPort(script)) return undefined
  const { metadata, spec } = template
  const kept = {
    metadata: { ...metadata, annotations: { ...metadata.annotations, [serviceNames.specHash]: hash } },
    spec: {
      ...spec,
      containers: spec.containers.map((container) => ({
        ...container,
        command: container.command.with(2, script),
        env: inOrderOf(ledger?.env ?? [], container.env),
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
