import { expect, inject, test } from 'vitest'
import { allControllers } from '../../src/controllers/all.ts'
import { systemClock as clock } from '../../src/kube/clock.ts'
import { Secret } from '../../src/pure/kind.ts'
import { foresee } from '../../src/runtime/foresee.ts'
import { readingRightsOf } from '../../src/runtime/rights.ts'
import { grantedBy, printAct, suffices } from '../kit/act.ts'
import { declaredAccount } from '../kit/declared-account.ts'
import { Recorder } from '../kit/recorder.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'
import { plan, planFor, planWith } from './run-plan.ts'

/** What tells whether anything was written. */
const versionsIn = async (suite: Suite): Promise<readonly (string | undefined)[]> => [
  (await suite.agent())?.metadata.resourceVersion,
  ...(await suite.secrets()).map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`),
]

test('PLAN-2 it needs the right to read what the operator reads, and no other; nothing is written', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.stop()
  const scope = suite.operatorScope
  const controllers = allControllers(scope.own)
  await using account = await declaredAccount(scope, readingRightsOf(controllers))
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.target(['a'])
  const before = await versionsIn(suite)
  const recorder = new Recorder(account.port)

  const { code, stdout, stderr } = await planWith(account.kubeconfig, `lca/${suite.agentName}`)
  await foresee({ port: recorder, clock, scope, controllers, isAskedFor: (key) => key === suite.agentName })

  expect({ code, stderr }).toEqual({ code: 1, stderr: `planned as the operator in namespace ${scope.own}\n` })
  expect(stdout).toContain('1 object, 1 with changes, 2 effects')
  expect(await versionsIn(suite)).toEqual(before)
  const granted = grantedBy(account.objects)
  expect(new Set(granted.map(({ verb }) => verb))).toEqual(new Set(['get', 'list', 'watch']))
  const undeclared = recorder.acts.filter((act) => !granted.some((right) => suffices(right, act)))
  expect(undeclared.map(printAct)).toEqual([])
  expect(recorder.forbidden).toEqual([])
})

test('PLAN-10 it sees the namespaces that the operator was told to watch, and no others', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.stop()

  const { stdout } = await planFor(suite, '--watch-namespace', suite.named('a'))

  expect(stdout).toContain(
    'OutOfScope: the key is in 1 of 2 namespaces; this operator does not watch the namespace: b-*',
  )
})

test('PLAN-10 a kind that the operator leaves to somebody else is not planned, and the others are', async () => {
  await using suite = await aServedSuite(['a'])
  const without = ['--without', 'ledgerservices']

  expect(await planFor(suite, ...without)).toEqual(await planFor(suite))
  expect(await plan(`ledgerservice/${suite.named('a')}/books`, ...without)).toEqual({
    code: 4,
    stdout: '',
    stderr: 'holdfast: the operator reconciles no kind "ledgerservice": it does ledgerclusteragents\n',
  })
})

test('PLAN-10 an object that another operator has claimed is left alone', async () => {
  await using suite = await aServedSuite(['a'])

  const { code, stdout } = await planFor(suite, '--operator-namespace', 'another')

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: [
      'LedgerClusterAgent agent-*: claimed-elsewhere (left alone: claimed by the operator in namespace operator-*), nothing to do',
      '1 object, 0 with changes, 0 effects',
      '',
    ].join('\n'),
  })
})

test('PLAN-9 who may not read is told what the server refused, and the exit code says so', async () => {
  await using suite = await aSuite([])
  await using account = await declaredAccount(suite.operatorScope, [])

  const { code, stdout, stderr } = await planWith(account.kubeconfig, '--operator-namespace', suite.operatorNamespace)

  expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
  const what = 'customresourcedefinitions.apiextensions.k8s.io'
  const why = `cannot watch CustomResourceDefinitions: the API server answered 403`
  expect(stderr).toBe(`holdfast: ${why}: ask for the right to watch ${what} (docs/plan.md)\n`)
})

test.for<{ args: readonly string[]; code: number; says: string }>([
  {
    args: ['lca/nobody-has-this-name'],
    code: 4,
    says: 'there is no LedgerClusterAgent nobody-has-this-name: see what there is with kubectl get ledgerclusteragents',
  },
  {
    args: ['pods'],
    code: 4,
    says: 'the operator reconciles no kind "pods": it does ledgerclusteragents, ledgerservices',
  },
  { args: ['lca/a/b'], code: 2, says: 'LedgerClusterAgents are in no namespace: write lca/b' },
  { args: ['lca/a/b/c'], code: 2, says: '"lca/a/b/c" names no object: write KIND, KIND/NAME or KIND/NAMESPACE/NAME' },
  { args: ['--context', 'nowhere'], code: 2, says: `cannot use kubeconfig FILE: it has no context "nowhere"` },
])('PLAN-9 $args ends with one sentence and exit code $code', async ({ args, code, says }) => {
  expect(await plan(...args)).toEqual({
    code,
    stdout: '',
    stderr: `holdfast: ${says.replace('FILE', inject('kubeconfig'))}\n`,
  })
})
