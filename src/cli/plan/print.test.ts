import { expect, test } from 'vitest'
import { widgetController, widgetKind } from '../../../test/kit/widget.ts'
import { ConfigMap } from '../../pure/kind.ts'
import type { Controller } from '../../runtime/controller.ts'
import type { Foreseen } from '../../runtime/foresee.ts'
import { documentOf } from './document.ts'
import { printPlan } from './print.ts'

const [gizmos, widgets] = ['Gizmo', 'Widget'].map((kind) =>
  widgetController({ ...widgetKind('example.com'), kind }),
) as unknown as [Controller, Controller]

const plain = (_: unknown, text: string) => text
const painted = (style: string, text: string) => `<${style}>${text}</${style}>`

const foreseen = (controller: Controller, key: string, plan: Partial<Foreseen['plan']> = {}): Foreseen => {
  const [namespace = '', name = ''] = key.split('/')
  return {
    controller,
    object: { apiVersion: 'v1', kind: '', metadata: { namespace, name, uid: 'u', resourceVersion: '1' } },
    plan: { stage: 'kept', steps: [], lookAgain: 'on-change', ...plan },
    live: new Map(),
    then: [],
    status: undefined,
  }
}

const removal = { do: 'delete', kind: ConfigMap, key: { namespace: 'b', name: 'x' }, uid: 'u-1' } as const
const told = { ...removal, do: 'event', type: 'Normal', reason: 'Gone', note: 'it went' } as const

test('PLAN-13 what people should know first comes before what would be done', () => {
  const all = [foreseen(widgets, 'b/x', { steps: [[removal]], notices: ['pods restart, because of \u001b[2J'] })]
  const document = documentOf({ foreseen: all, obstacles: new Map() }, 'o')
  expect(document.objects[0]?.notices).toHaveLength(1)
  expect(printPlan(document, plain).split('\n').slice(0, 3)).toEqual([
    'Widget b/x: kept',
    expect.stringMatching(/^ {2}note: pods restart, because of [^\u001b]*$/),
    '  delete ConfigMap b/x (uid u-1)',
  ])
})

test('PLAN-8 objects come by kind, namespace and name, whatever the order in which they were seen', () => {
  const all = [
    foreseen(widgets, 'b/x', { steps: [[], [removal], [told]] }),
    foreseen(widgets, 'a/z'),
    foreseen(gizmos, 'c/y', { remark: 'left alone' }),
    foreseen(widgets, 'a/c'),
  ]
  const expected = [
    'Gizmo c/y: kept (left alone), nothing to do',
    'Widget a/c: kept, nothing to do',
    'Widget a/z: kept, nothing to do',
    'Widget b/x: kept',
    '  step 1 of 2',
    '  delete ConfigMap b/x (uid u-1)',
    '  step 2 of 2',
    '  event ConfigMap b/x: Gone: it went',
    '',
    '4 objects, 1 with changes, 2 effects',
    '',
  ].join('\n')
  expect(printPlan(documentOf({ foreseen: all, obstacles: new Map() }, 'o'), plain)).toBe(expected)
  expect(printPlan(documentOf({ foreseen: all.reverse(), obstacles: new Map() }, 'o'), plain)).toBe(expected)
})

test('PLAN-9 a kind that the operator waits for is named', () => {
  const obstacles = new Map([[widgets, 'its definition is not installed']])
  expect(printPlan(documentOf({ foreseen: [], obstacles }, 'o'), plain)).toBe(
    'Widgets: the operator waits: its definition is not installed\n0 objects, 0 with changes, 0 effects\n',
  )
})

test('an apply that no path speaks for is said to be about the content', () => {
  const on = { uid: 'u', resourceVersion: '1' }
  const object = { metadata: { namespace: 'b', name: 'x' } }
  const steps = [[{ do: 'apply', kind: ConfigMap, object, on } as const]]
  expect(
    printPlan(documentOf({ foreseen: [foreseen(widgets, 'b/x', { steps })], obstacles: new Map() }, 'o'), plain),
  ).toContain('  apply ConfigMap b/x\n    its content is not what it should be\n')
})

test('what would come is green, and what would go is red', () => {
  const set = { annotations: { gone: null, came: 'yes' } }
  const mark = { do: 'mark', kind: ConfigMap, key: removal.key, on: { uid: 'u', resourceVersion: '1' }, set } as const
  const one = foreseen(widgets, 'b/x', { steps: [[mark]] })
  const live = new Map([[mark, { ...one.object, metadata: { ...one.object.metadata, annotations: { gone: 'x' } } }]])
  const text = printPlan(documentOf({ foreseen: [{ ...one, live }], obstacles: new Map() }, 'o'), painted)
  expect(text).toContain('<bold>Widget b/x</bold>: kept\n')
  expect(text).toContain('    <red>- metadata.annotations.gone: x</red>\n')
  expect(text).toContain('    <green>+ metadata.annotations.came: yes</green>\n')
})

test('PLAN-13 passes that follow are printed below the next one, and counted', () => {
  const one = foreseen(widgets, 'b/x', { steps: [[told]] })
  const further = foreseen(widgets, 'b/x', { stage: 'later', steps: [[removal]] })
  const document = documentOf({ foreseen: [{ ...one, then: [further] }], obstacles: new Map() }, 'o')
  expect(printPlan(document, plain)).toBe(
    [
      'Widget b/x: kept',
      '  event ConfigMap b/x: Gone: it went',
      '  then: later',
      '  delete ConfigMap b/x (uid u-1)',
      '',
      '1 object, 1 with changes, 2 effects',
      '',
    ].join('\n'),
  )
})
