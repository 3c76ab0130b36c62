import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import type { PlanDocument, PlannedEffect } from '../../src/cli/plan/document.ts'
import type { LiveWorkload } from '../../src/controllers/ledgerservice/observed.ts'
import { StatefulSet } from '../../src/pure/kind.ts'
import { claimAnnotation, takeoverAnnotation } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { FormerCluster } from '../kit/former-cluster.ts'
import { goldenObjects, goldenWorkloads } from '../kit/golden-objects.ts'
import { planIn } from './run-plan.ts'

const home = 'ledger-system'
const formerImage = 'ghcr.io/formancehq/ledger:latest'

let cluster: FormerCluster

beforeAll(async () => {
  cluster = await FormerCluster.start()
})

afterEach(() => cluster.clear())

afterAll(() => cluster[Symbol.asyncDispose]())

const load = () => cluster.load([...goldenObjects, ...goldenWorkloads])

const plan = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  planIn(env, cluster.kubeconfig, '--operator-namespace', home, ...args)

const planned = async (kind: string, env: Readonly<Record<string, string>> = {}): Promise<PlanDocument> =>
  JSON.parse((await plan(env, kind, '-o', 'json')).stdout) as PlanDocument

const workloadIn = (effects: readonly PlannedEffect[], namespace: string) =>
  effects.find((effect) => effect.kind === 'StatefulSet' && effect.do === 'apply' && effect.namespace === namespace)

const effectsOf = ({ objects }: PlanDocument): readonly PlannedEffect[] =>
  objects.flatMap((object) => [object, ...object.then]).flatMap(({ steps }) => steps.flat())

const plurals: Readonly<Record<string, string>> = {
  LedgerService: 'ledgerservices',
  LedgerClusterAgent: 'ledgerclusteragents',
  StatefulSet: 'statefulsets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
}

const printEffect = (effect: PlannedEffect): string => `${effect.do} ${plurals[effect.kind]} ${printKey(effect)}`

const isServiceDone = ({ metadata, status }: LedgerService): boolean =>
  metadata.annotations?.[claimAnnotation] !== undefined && status?.authKeys?.length === 2

const isAgentDone = ({ metadata, status }: LedgerClusterAgent): boolean =>
  metadata.annotations?.[claimAnnotation] !== undefined &&
  metadata.annotations[takeoverAnnotation] === undefined &&
  status?.targets !== undefined

/** What was written but for statuses and events. */
const written = (): readonly string[] =>
  cluster.writes
    .map(({ what }) => what)
    .filter((what) => !what.startsWith('status ') && !what.includes(' events '))
    .sort()

test('PLAN-13 an unclaimed service shows the claim and then all that the change-over writes', async () => {
  await load()
  const { code, stdout } = await plan({}, 'ledgerservices', '-n', 'team-a')
  expect(code).toBe(1)
  expect(stdout.split('\n').filter((line) => /^( {2})?\S|pod template|image of/.test(line))).toEqual([
    'LedgerService team-a/books: unmarked',
    '  mark LedgerService team-a/books',
    '  then: kept (ReplicasNotReady: 0/3 replicas ready)',
    '  mark ServiceAccount team-a/ledger-books',
    '  mark Service team-a/ledger-books-headless',
    '  mark Service team-a/ledger-books',
    '  mark ConfigMap team-a/ledger-books-auth-keys',
    '  then: kept (ReplicasNotReady: 0/3 replicas ready)',
    '  step 1 of 2',
    '  apply ServiceAccount team-a/ledger-books',
    '  apply Service team-a/ledger-books-headless',
    '  apply Service team-a/ledger-books',
    '  apply ConfigMap team-a/ledger-books-auth-keys',
    '  step 2 of 2',
    '  mark StatefulSet team-a/ledger-books',
    '  then: kept (ReplicasNotReady: 0/3 replicas ready)',
    '  apply StatefulSet team-a/ledger-books',
    '    the pod template does not change: no pod is restarted',
    `    image of container ledger: ${formerImage}`,
    '1 object, 1 with changes, 11 effects',
  ])
})

test('PLAN-13 what is planned for unclaimed objects is what the operator then writes', async () => {
  await load()
  const [services, agents] = [await planned('ledgerservices'), await planned('lca')]
  expect(await planned('ledgerservices')).toEqual(services)

  await cluster.runServicesUntil(home, isServiceDone)
  await cluster.runUntil(home, isAgentDone)

  const expected = [...effectsOf(services), ...effectsOf(agents)].filter((effect) => effect.do !== 'event')
  expect(written()).toEqual(expected.map(printEffect).sort())
})

test('PLAN-14 where pods keep running, the plan says so and names the image', async () => {
  await load()
  const before = await cluster.all<LiveWorkload>(StatefulSet)
  const document = await planned('ledgerservices')
  const { stdout } = await plan({}, 'ledgerservices', '-n', 'team-a')
  for (const namespace of ['team-a', 'team-b']) {
    expect(workloadIn(effectsOf(document), namespace)?.pods).toEqual({
      restart: 'no',
      images: [{ container: 'ledger', before: formerImage, after: formerImage }],
    })
  }
  expect(stdout).toContain(
    [
      '  apply StatefulSet team-a/ledger-books',
      '    the pod template does not change: no pod is restarted',
      `    image of container ledger: ${formerImage}`,
      '',
    ].join('\n'),
  )

  await cluster.runServicesUntil(home, isServiceDone)
  const after = await cluster.all<LiveWorkload>(StatefulSet)
  expect(after.map(({ metadata }) => metadata.generation)).toEqual(before.map(({ metadata }) => metadata.generation))
})

test('PLAN-14 another image is shown with the one that runs, and that pods restart', async () => {
  await load()
  const env = { LEDGER_IMAGE_REPOSITORY: 'registry.example/ledger', LEDGER_IMAGE_TAG: 'v2' }
  const { stdout } = await plan(env, 'ledgerservices', '-n', 'team-b')
  expect(stdout).toContain(
    [
      '  apply StatefulSet team-b/ledger-books',
      '    the pod template changes: pods are restarted',
      `    image of container ledger: ${formerImage} -> registry.example/ledger:v2`,
      '',
    ].join('\n'),
  )
  expect(workloadIn(effectsOf(await planned('ledgerservices', env)), 'team-a')?.pods?.restart).toBe('yes')
})

test('PLAN-14 a field of the former template that would go restarts pods too', async () => {
  await load()
  await cluster.user.patch(LedgerService, { namespace: 'team-b', name: 'books' }, { spec: { extraEnv: null } })
  const document = await planned('ledgerservices')
  expect(workloadIn(effectsOf(document), 'team-b')?.pods?.restart).toBe('yes')
  expect(workloadIn(effectsOf(document), 'team-a')?.pods?.restart).toBe('no')
})
