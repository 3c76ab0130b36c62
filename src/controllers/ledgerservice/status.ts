import type { ServicePhase } from '../../api/ledgerservice.ts'
import { generationOf } from '../../pure/generation.ts'
import { isListable } from '../../pure/generations.ts'
import { readKeyList } from '../../pure/key-list.ts'
import { keyStateOf, loadableOf } from '../../pure/key-rollout.ts'
import { serviceNames } from '../../pure/names.ts'
import type { StatusWish } from '../../pure/plan.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { countUnlessAll, shortened } from '../../pure/shortened.ts'
import { unlessEmpty } from '../../pure/unless-empty.ts'
import type { MatchedAgent } from './agent-entries.ts'
import { furtherConditionsOf } from './conditions.ts'
import type { Keys } from './keys.ts'
import { type Observed, ownWorkloadOf } from './observed.ts'
import { rolloutOf } from './rollout.ts'
import type { Stage } from './stage.ts'
import { verdictOf } from './verdict.ts'

/** What the service's status says in this stage. */
export const statusOf = (observed: Observed, stage: Stage, keys: Keys): StatusWish => {
  const rollout = rolloutOf(observed)
  const { phase, reason, message } = verdictOf(observed, stage, keys, rollout)
  return {
    fields: {
      phase,
      readyReplicas: rollout.ready,
      endpoints: endpointsOf(observed),
      tlsMigrationPhase: observed.complete.spec.tls?.enabled === true ? 'required' : 'disabled',
      ...authKeyFields(observed),
    },
    fieldsWhenFailed: { phase: 'Error' satisfies ServicePhase },
    ready: { status: reason === 'AllReplicasReady' ? 'True' : 'False', reason, message },
    others: furtherConditionsOf(observed, stage, keys),
  }
}

const endpointsOf = ({ complete: { name, namespace, spec } }: Observed) => {
  const host = `${serviceNames.workload(name)}.${namespace}.svc.cluster.local`
  return {
    grpc: `${host}:${spec.service?.grpcPort ?? 8888}`,
    http: `http://${host}:${spec.service?.httpPort ?? 9000}`,
    external: false,
  }
}

interface AuthKey {
  readonly agent: string
  readonly keyID: string
}

/** Those that drain are remembered only here. */
const authKeyFields = (observed: Observed) => {
  const keys = authKeysOf(observed)
  const listed = shortened(keys, ({ state }) => (state === 'Draining' ? 0 : 1))
  return { authKeys: unlessEmpty(listed), authKeyCount: countUnlessAll(keys, listed) }
}

/** The keys in the list, and those that have left it and may still be with a replica. */
const authKeysOf = (observed: Observed) => {
  const { children, agents, object, pods } = observed
  const { list } = children
  const workload = ownWorkloadOf(observed)
  const written = readKeyList(list?.data ?? {})
  const entries = 'known' in written ? written.known : []
  const consumption = { list: loadableOf(list), workload }
  const listed = entries.flatMap(({ agent, keyId }) => (agent === undefined ? [] : [{ agent, keyID: keyId }]))
  // Of an agent that has nothing to do with the service any more, nobody else remembers which keys those were.
  const former = (object.status?.authKeys ?? []).map(({ agent, keyID }) => ({ agent, keyID }))
  // Pods that were left behind have what they have loaded.
  const orphanState = workload === undefined && pods.length > 0 ? ('Draining' as const) : undefined
  const known = [...agents.flatMap(leavingKeysOf), ...former, ...listed]
  return [...new Map(known.map((key) => [`${key.agent} ${key.keyID}`, key])).values()]
    .flatMap((key) => {
      const state = keyStateOf(key.keyID, consumption) ?? orphanState
      return state === undefined ? [] : [{ ...key, state }]
    })
    .sort((one, other) => (`${one.agent} ${one.keyID}` < `${other.agent} ${other.keyID}` ? -1 : 1))
}

/** The keys of an agent that are not to be accepted any more. */
const leavingKeysOf = ({ object, secrets }: MatchedAgent): readonly AuthKey[] => {
  const agent = object.metadata.name
  const revoked = revocationsOf(object)
  const generations = secrets.flatMap(({ metadata }) => generationOf(agent, metadata) ?? [])
  return generations
    .filter((one) => one.keyId !== '' && (!isListable(one, generations) || revoked.includes(one.keyId)))
    .map(({ keyId }) => ({ agent, keyID: keyId }))
}
