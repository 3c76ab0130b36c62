import type { ServiceReason } from '../../api/ledgerservice.ts'
import { isLike } from '../../pure/likeness.ts'
import { isTerminating } from '../../pure/object.ts'
import { listed } from '../../pure/wording.ts'
import { liveVariable, type Observed, ownWorkloadOf } from './observed.ts'
import { isOurs } from './ownership.ts'
import { unsupportedFieldsOf } from './unrendered.ts'
import { faultsOf } from './validate.ts'
import { wantedWorkload } from './wanted.ts'

/** Why nothing of a workload is written. */
export interface Obstacle {
  readonly reason: ServiceReason
  readonly message: string
}

/** From the worst down. */
export const obstaclesOf = (observed: Observed): readonly Obstacle[] => [
  ...deletion(observed),
  ...whenAny(
    'ObjectUnreadable',
    unreadableAmong(observed),
    (objects) => `these objects cannot be read, and nothing of the workload is written: ${objects.join('; ')}`,
  ),
  ...whenAny('ValidationFailed', faultsOf(observed.complete), (faults) => faults.join('; ')),
  ...whenAny(
    'UnsupportedFields',
    unsupportedFieldsOf(observed.complete.spec),
    (fields) =>
      `these fields have no effect here, and nothing of the workload is written while they are set: ${fields.map((field) => `spec.${field}`).join(', ')}`,
  ),
  ...whenAny(
    'NeedsRecreate',
    immutableDifferencesOf(observed),
    (fields) =>
      `the API server lets nobody change this: ${fields.join(', ')}; put it back, or delete the object with --cascade=orphan and it is made anew`,
  ),
  ...tlsChange(observed),
]

const whenAny = (
  reason: ServiceReason,
  found: readonly string[],
  print: (found: readonly string[]) => string,
): readonly Obstacle[] => (found.length === 0 ? [] : [{ reason, message: print(found) }])

const deletion = ({ object }: Observed): readonly Obstacle[] =>
  isTerminating(object) ? [{ reason: 'Deleting', message: 'it is being deleted, and its objects go with it' }] : []

/** What is too large or makes no sense is not taken for what it should be, nor for nothing. */
const unreadableAmong = ({ children: { account, headless, service, workload } }: Observed): readonly string[] =>
  [account, headless, service, workload].flatMap((child) =>
    child?.unreadable === undefined ? [] : [`${child.kind} ${child.metadata.name}: ${child.unreadable}`],
  )

/** What the server adds to a volume claim where nobody says anything. */
const filledIn: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status', 'volumeMode', 'creationTimestamp'])

const immutableFields = ['selector', 'serviceName', 'podManagementPolicy', 'volumeClaimTemplates'] as const

/** What would have to change that nobody can change. */
const immutableDifferencesOf = (observed: Observed): readonly string[] => {
  const { children, complete } = observed
  const live = ownWorkloadOf(observed)?.spec
  const wanted = wantedWorkload(observed, undefined).spec
  const ofWorkload =
    live === undefined ? [] : immutableFields.filter((field) => !isLike(wanted[field], live[field], filledIn))
  const { headless } = children
  const hasAddress =
    headless !== undefined &&
    isOurs(headless, observed.object) &&
    complete.spec.headlessService?.enabled !== false &&
    headless.spec?.clusterIP !== 'None'
  return [
    ...ofWorkload.map((field) => `StatefulSet spec.${field}`),
    ...(hasAddress ? ['headless Service spec.clusterIP'] : []),
  ]
}

/** Whether pods would not be found any more by the labels that they are found by. */
export const hasSelectorDrifted = (observed: Observed): boolean =>
  immutableDifferencesOf(observed).includes('StatefulSet spec.selector')

const tlsChange = (observed: Observed): readonly Obstacle[] => {
  const live = ownWorkloadOf(observed)
  const wanted = wantedWorkload(observed, undefined).spec.template.spec.containers[0]?.env
  const is = liveVariable(live, 'TLS_MODE')
  const shall = wanted?.find(({ name }) => name === 'TLS_MODE')?.value
  if (live === undefined || is === undefined || is === shall || (live.spec?.replicas ?? 1) <= 1) return []
  const message = `replicas run with TLS mode ${is}, and would not understand others with ${shall ?? 'none'}; put spec.tls back`
  return [{ reason: 'TLSChangeUnsupported', message }]
}

/** Objects at the names of the service that are not its own, by kind and name. */
export const foreignOf = ({ children, object }: Observed): readonly string[] =>
  (
    [
      ['ServiceAccount', children.account],
      ['Service', children.headless],
      ['Service', children.service],
      ['ConfigMap', children.list],
      ['StatefulSet', children.workload],
    ] as const
  ).flatMap(([kind, child]) => (child === undefined || isOurs(child, object) ? [] : [`${kind} ${child.metadata.name}`]))

export const foreignMessage = (foreign: readonly string[]): string =>
  `these objects are not this service’s, and stay as they are: ${listed(foreign)}`
