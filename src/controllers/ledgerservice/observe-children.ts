import { LedgerService } from '../../api/ledgerservice.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Reads } from '../../kube/reads.ts'
import { ConfigMap, Secret, Service, ServiceAccount, StatefulSet } from '../../pure/kind.ts'
import type { Known } from '../../pure/known.ts'
import { serviceNames } from '../../pure/names.ts'
import { isTerminating, type KubeObject, type ObjectKey, printKey } from '../../pure/object.ts'
import type { CompleteService } from './defaults.ts'
import { type LiveChildren, type LiveWorkload, liveVariable, type Observed } from './observed.ts'
import { renderServiceAccount, serviceAccountNameOf } from './render/service-account.ts'

export const noChildren: LiveChildren = {
  account: undefined,
  headless: undefined,
  service: undefined,
  list: undefined,
  workload: undefined,
  formerAccounts: [],
}

export const workloadOf = ({ namespace, name }: CompleteService, reads: Reads): LiveWorkload | undefined =>
  reads.get(StatefulSet, { namespace, name: serviceNames.workload(name) })

export const childrenOf = (service: CompleteService, reads: Reads): LiveChildren => {
  const { namespace, name } = service
  const at = (child: string): ObjectKey => ({ namespace, name: child })
  const wanted = renderServiceAccount(service) === undefined ? undefined : serviceAccountNameOf(service)
  return {
    account: wanted === undefined ? undefined : reads.get(ServiceAccount, at(wanted)),
    headless: reads.get(Service, at(serviceNames.headless(name))),
    service: reads.get(Service, at(serviceNames.workload(name))),
    list: reads.get(ConfigMap, at(serviceNames.keyList(name))),
    workload: workloadOf(service, reads),
    formerAccounts: reads
      .find(ServiceAccount, 'service', printKey({ namespace, name }))
      .filter(({ metadata }) => metadata.name !== wanted),
  }
}

/** A StatefulSet that lost its label is not in view, and not gone: keys and pods are not decided on without it. */
export const lookForWorkload = async (
  { namespace, name }: CompleteService,
  reads: Reads,
): Promise<string | undefined> => {
  const key = { namespace, name: serviceNames.workload(name) }
  if (reads.get(StatefulSet, key) !== undefined) return undefined
  try {
    await reads.refresh(StatefulSet, key)
    return undefined
  } catch (error) {
    if (!isApiError(error)) throw error
    return error.message
  }
}

/** Looked for only before replicas are made that need it: what they run with is not ours to change. */
export const clusterSecretOf = async (
  { object, complete }: Observed,
  workload: LiveWorkload | undefined,
  reads: Reads,
): Promise<Known<boolean> | undefined> => {
  const { namespace, name, spec } = complete
  const isInUse = liveVariable(workload, 'TLS_MODE') === 'required'
  if (spec.tls?.enabled !== true || isInUse) return undefined
  const key = { namespace, name: serviceNames.clusterSecret(name) }
  try {
    await reads.refresh(Secret, key)
  } catch (error) {
    if (!isApiError(error)) throw error
    return { unknown: error.message }
  }
  const live = reads.get(Secret, key)
  const leaves = live && whyItLeaves(live, object)
  return leaves === undefined
    ? { known: live !== undefined }
    : { unknown: `Secret ${printKey(key)} ${leaves}: it is waited for until it is gone, and then made anew` }
}

/** Replicas that are made with a secret that goes would never start again. */
const whyItLeaves = (secret: KubeObject, service: LedgerService): string | undefined => {
  if (isTerminating(secret)) return 'is being deleted'
  const isFormer = secret.metadata.ownerReferences?.some(
    ({ kind, controller, uid }) => kind === LedgerService.kind && controller === true && uid !== service.metadata.uid,
  )
  return isFormer === true ? 'belongs to a former service of this name' : undefined
}
