import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { Port } from '../../src/kube/port.ts'
import { ConfigMap, Lease, Secret } from '../../src/pure/kind.ts'
import { reconcileAnnotation, serviceNames } from '../../src/pure/names.ts'
import { type Act, grantedBy, printAct, suffices } from '../kit/act.ts'
import { declaredAccount } from '../kit/declared-account.ts'
import { Ledger, ledgerObjects } from '../kit/ledger.ts'
import { emptyNamespace } from '../kit/namespaces.ts'
import { Recorder } from '../kit/recorder.ts'
import { asContender } from '../kit/standing.ts'
import { createService } from '../kit/services.ts'
import { untilSilenceIsNoticed } from '../kit/standstill.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import { scenarios } from '../sweep/scenarios.ts'

/** A server that has not learned to send what there is at the beginning of a watch. */
const withoutInitialEvents = (port: Port): Port => ({
  call: (request, signal) => port.call(request, signal),
  open: (request, signal) =>
    request.query['sendInitialEvents'] === undefined
      ? port.open(request, signal)
      : Promise.resolve({ status: 422, retryAfter: undefined, body: nothing() }),
  close: () => port.close(),
})

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Everything that people do to agents and services, and the world to watches. */
const lifeOf = async (suite: Suite, recorder: Recorder): Promise<void> => {
  for (const { arrange, act } of scenarios) {
    await arrange(suite)
    await suite.settle()
    await act(suite)
    await suite.settle()
    await clear(suite)
  }
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  for (const role of ['a', 'b'])
    await suite.user.patch(Secret, suite.replicaKey(role), { data: { 'seed.hex': 'b3RoZXI=' } })
  await suite.settle()
  const annotations = { [reconcileAnnotation]: 'now' }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
  await suite.settle()
  // The same change of Ready twice is one event with a series.
  for (const roles of [['a'], ['a', 'missing'], ['a'], ['a', 'missing']]) {
    await suite.target(roles)
    await suite.settle()
  }
  await clear(suite)
  await suite.createAgent([])
  for (const role of ['a', 'b']) await lifeOfService(suite, role)
  await fallSilent(suite, recorder)
  await clear(suite)
}

/** Everything that people do to services. */
const lifeOfService = async (suite: Suite, role: string): Promise<void> => {
  const { user } = suite
  const ledger = new Ledger(suite, [], role)
  await createService(suite, role, {
    spec: { auth: { enabled: true }, tls: { enabled: true, secretName: 'certificate' } },
  })
  await suite.settle()
  await ledger.rollOut()
  // Else what it writes of this would take over what comes next.
  await suite.settle()
  // What the former operator said in a status is taken over.
  await user.as('ledger-operator').patchStatus(LedgerService, ledger.key(), { status: { phase: 'Pending' } })
  const labels = { [serviceNames.managedBy.label]: null }
  for (const [kind, name] of ledgerObjects) await user.patch(kind, ledger.at(name), { metadata: { labels } })
  await suite.settle()
  const annotations = { [reconcileAnnotation]: 'now' }
  await user.patch(LedgerService, ledger.key(), { metadata: { annotations } })
  await suite.settle()
  // A list that nobody can change is replaced.
  const spoilt = { data: { 'auth-keys.json': '{}' }, immutable: true }
  await user.patch(ConfigMap, ledger.at(serviceNames.keyList('books')), spoilt)
  await suite.settle()
  await ledger.change({ serviceAccount: { name: 'accountant' }, headlessService: { enabled: false } })
  await suite.settle()
  await ledger.rollOut()
  await suite.settle()
}

const clear = async (suite: Suite): Promise<void> => {
  if ((await suite.agent()) !== undefined) await suite.deleteAgent()
  await suite.settle()
  for (const role of ['a', 'b', 'operator']) await emptyNamespace(suite.named(role))
  await suite.settle()
}

/** No watch hears anything for so long that it asks whether the server is still the one it was. */
const fallSilent = async (suite: Suite, recorder: Recorder): Promise<void> => {
  const before = recorder.acts.length
  suite.clock.turn(untilSilenceIsNoticed)
  await eventually('every watch has asked', () => {
    const probes = recorder.acts.slice(before).filter(({ verb }) => verb === 'list')
    return probes.length >= suite.operator.informers.length
  })
  await suite.settle()
}

/** The rights that were needed. A right everywhere is not needed for what is done in the operator's own namespace alone. */
const neededOf = (granted: readonly Act[], done: readonly Act[], own: string): readonly Act[] =>
  granted.filter((right) =>
    done.some((act) => suffices(right, act) && (right.namespace !== undefined || act.namespace !== own)),
  )

/** Whoever may do this may soon do everything. */
const isWithoutBounds = ({ verb, group, resource }: Act): boolean =>
  [verb, group, resource].some((word) => ['*', 'escalate', 'bind', 'impersonate'].includes(word))

test.for([
  { where: 'in the whole cluster', watchedRoles: undefined },
  { where: 'in two namespaces', watchedRoles: ['a', 'b'] },
])('an operator that works $where uses all rights that it is granted, and needs no others', async (mode) => {
  const { watchedRoles } = mode
  await using suite = await aSuite(['a', 'b'], { withServices: true, ...(watchedRoles && { watchedRoles }) })
  const own = suite.operatorNamespace
  await using account = await declaredAccount(suite.operatorScope)
  const recorder = new Recorder(account.port)

  await suite.start(undefined, asContender(recorder, own))
  await lifeOf(suite, recorder)
  await suite.stop()
  await suite.start(undefined, asContender(withoutInitialEvents(recorder), own))
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'True' })
  await suite.stop()
  await suite.user.delete(Lease, { namespace: own, name: 'holdfast' })

  const print = (acts: readonly Act[]) =>
    [...new Set(acts.map((act) => printAct(act).replaceAll(suite.id, '*')))].sort()
  const granted = grantedBy(account.objects)
  const undeclared = recorder.acts.filter((act) => !granted.some((right) => suffices(right, act)))
  const used = [...neededOf(granted, recorder.acts, own), ...undeclared]
  console.log(
    `${mode.where}: ${granted.length} rights granted, ${used.length} used by ${recorder.acts.length} requests`,
  )
  expect(print(used)).toEqual(print(granted))
  expect(recorder.forbidden).toEqual([])
  expect(granted.filter((right) => isWithoutBounds(right))).toEqual([])
})
