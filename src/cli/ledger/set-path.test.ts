import { describe, expect, test } from 'vitest'
import { spec } from '../../api/ledgerclusteragent-schema.ts'
import { structuralSchemaOf } from '../../api/structural.ts'
import { setPath } from './set-path.ts'

const schema = structuralSchemaOf(spec)

const set = (...assignments: readonly string[]): object =>
  assignments.reduce<object>((object, assignment) => setPath(schema, object, assignment), { selector: {} })

describe('--set', () => {
  test.each<[assignments: readonly string[], spec: object]>([
    [['scopes=ledger:read,ledger:write'], { scopes: ['ledger:read', 'ledger:write'] }],
    [['scopes='], { scopes: [] }],
    [['scopes=a\\,b,c'], { scopes: ['a,b', 'c'] }],
    [['scopes[0]=a', 'scopes[1]=b', 'scopes[0]=c'], { scopes: ['c', 'b'] }],
    [['scopes[0]=a,b'], { scopes: ['a,b'] }],
    [['god=true'], { god: true }],
    [['god=false'], { god: false }],
    [['selector.matchLabels.env=production'], { selector: { matchLabels: { env: 'production' } } }],
    [['selector.matchLabels.tier=true'], { selector: { matchLabels: { tier: 'true' } } }],
    [['selector.matchLabels.a=b=c'], { selector: { matchLabels: { a: 'b=c' } } }],
    [
      ['selector.matchLabels.app\\.kubernetes\\.io/name=ledger', 'selector.matchLabels.env=x'],
      { selector: { matchLabels: { 'app.kubernetes.io/name': 'ledger', env: 'x' } } },
    ],
    [
      [
        'selector.matchExpressions[0].key=env',
        'selector.matchExpressions[0].operator=In',
        'selector.matchExpressions[0].values=a,b',
      ],
      { selector: { matchExpressions: [{ key: 'env', operator: 'In', values: ['a', 'b'] }] } },
    ],
  ])('%j', (assignments, expected) => {
    expect(set(...assignments)).toEqual({ selector: {}, ...expected })
  })

  test('of a label that is called __proto__ is a label of that name', () => {
    const { selector } = set('selector.matchLabels.__proto__=x') as { selector: { matchLabels: object } }

    expect(Object.entries(selector.matchLabels)).toEqual([['__proto__', 'x']])
  })

  test.each<[assignments: readonly string[], why: string]>([
    [
      ['scope=a'],
      'cannot set scope: there is no field "scope"; there are additionalNamespaces, god, rotation, scopes, selector',
    ],
    [['constructor=a'], 'there is no field "constructor"'],
    [['god=yes'], 'cannot set god: it is either true or false'],
    [['selector=x'], 'set one of the fields below it'],
    [['selector.matchExpressions=x'], 'set its entries: selector.matchExpressions[0]…'],
    [['scopes[1]=a'], '[0] comes before [1]'],
    [['god[0]=a'], 'it has [0] where there is no list'],
    [['god.x=a'], 'nothing lies below it'],
    [['scopes'], 'write path=value'],
    [['=x'], 'write path=value'],
    [['a..b=x'], 'write path=value'],
    [['scopes[x]=a'], 'write path=value'],
    [['scopes[0]x=a'], 'write path=value'],
  ])('%j is refused: %s', (assignments, why) => {
    expect(() => set(...assignments)).toThrow(why)
  })
})
