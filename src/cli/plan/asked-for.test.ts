import { describe, expect, test } from 'vitest'
import { widgetController, widgetKind } from '../../../test/kit/widget.ts'
import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { allControllers } from '../../controllers/all.ts'
import type { Controller } from '../../runtime/controller.ts'
import { askedForBy, isAskedFor } from './asked-for.ts'
import { assertFound } from './found.ts'

const Widget = widgetKind('example.com')
const controllers = [...allControllers('o'), widgetController(Widget) as unknown as Controller]
const ask = (target?: string, namespace?: string) => askedForBy(target, namespace, controllers)

test.each([
  'LedgerClusterAgent',
  'ledgerclusteragent',
  'ledgerclusteragents',
  'lca',
  'LCA',
  'ledgerclusteragents.ledger.formance.com',
])('PLAN-11 a kind goes by every name that kubectl knows it by, in any case: %s', (word) => {
  expect(ask(`${word}/biller`)).toEqual({ kind: LedgerClusterAgent, namespace: undefined, name: 'biller' })
})

test('PLAN-11 a kind that is defined elsewhere goes by its name and its plural', () => {
  for (const word of ['widget', 'widgets'])
    expect(ask(word)).toEqual({ kind: Widget, namespace: undefined, name: undefined })
})

describe('PLAN-11 one object', () => {
  const keys = ['a/x', 'b/x', 'b/y', 'z']

  test.each<[what: string, asked: Parameters<typeof ask>, found: readonly string[]]>([
    ['by namespace and name', ['widget/b/x'], ['b/x']],
    ['by -n and name', ['widget/x', 'a'], ['a/x']],
    ['by both, which agree', ['widget/b/x', 'b'], ['b/x']],
    ['by its name alone, in whatever namespace', ['widget/x'], ['a/x', 'b/x']],
    ['or all in a namespace, and what is in none', [undefined, 'b'], ['b/x', 'b/y', 'z']],
  ])('is found %s', (_, asked, found) => {
    expect(keys.filter(isAskedFor(ask(...asked)))).toEqual(found)
  })

  test.each(['widget/', 'widget//x', 'widget/a/b/c'])('is not named by %s', (target) => {
    expect(() => ask(target)).toThrow('names no object')
  })

  test('is not in two namespaces', () => {
    expect(() => ask('widget/a/x', 'b')).toThrow('"widget/a/x" is in namespace a, and --namespace says b: drop one')
  })
})

describe('PLAN-9 what was asked for by name and is not there is an error:', () => {
  const nothing = { foreseen: [], obstacles: new Map<Controller, string>() }
  const withoutKind = { foreseen: [], obstacles: new Map([[controllers[0] as Controller, 'it is not installed']]) }

  test('a namespaced object', () => {
    expect(() => assertFound(ask('widget/a/x'), nothing)).toThrow(
      'there is no Widget a/x: see what there is with kubectl get widgets -A',
    )
  })

  test('a kind that is not installed', () => {
    expect(() => assertFound(ask('lca'), withoutKind)).toThrow(
      expect.objectContaining({
        exitCode: 7,
        message: 'cannot plan for LedgerClusterAgents: it is not installed; see holdfast install --help',
      }),
    )
  })

  test('but not when everything was asked for, or everything of a kind', () => {
    expect(() => assertFound(ask(), withoutKind)).not.toThrow()
    expect(() => assertFound(ask('widgets'), nothing)).not.toThrow()
  })
})
