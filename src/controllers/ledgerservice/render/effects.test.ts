import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import fixture from '../../../../test/fixtures/ledgerservice-effects.json' with { type: 'json' }
import { aService, renderedPaths } from '../../../../test/kit/rendered-service.ts'
import { isServerDefault } from '../../../../test/kit/server-defaults.ts'
import { unrendered } from '../unrendered.ts'

type Paths = Readonly<Record<string, unknown>>

/** One field that was set, and how the former operator's objects then differed from those of an empty spec. */
interface Row {
  readonly field: string
  readonly value: unknown
  readonly sets?: Paths
  readonly removes?: readonly string[]
}

const rows = fixture.rows as readonly unknown[] as readonly Row[]
const former: Paths = fixture.base
const base = renderedPaths(aService({}, 'NAME'))

const isUnrendered = ({ field }: Row) => unrendered.some((path) => field === path || field.startsWith(`${path}.`))
const hadEffect = ({ sets, removes }: Row) => sets !== undefined || removes !== undefined

/** The former operator could make nothing of this, because the Secret's name is missing. */
const impossible = 'responseSigning.enabled'

const isLeftOut = (row: Row) => row.field === impossible || (isUnrendered(row) && hadEffect(row))
const compared = rows.filter((row) => !isLeftOut(row))
const leftOut = rows.filter(isLeftOut)

const nameOf = ({ field, value }: Row) => `${field} = ${JSON.stringify(value)}`

test('LSV-9 of 182 findings about the former operator 177 are compared, and the others are named', () => {
  console.info(`${compared.length} rows compared, ${leftOut.length} left out: ${leftOut.map(nameOf).join('; ')}`)
  expect([rows.length, compared.length]).toEqual([182, 177])
  expect(leftOut.map(({ field }) => field)).toEqual([impossible, 'networkPolicy', 'ingress', 'ingressGrpc', 'restore'])
})

test.each(compared.map((row) => [nameOf(row), row] as const))(
  'LSV-9 a field changes what it changed under the former operator: %s',
  (_name, row) => {
    const now = renderedPaths(aService(specWith(row), 'NAME'))
    expect(changesTo(now)).toEqual(wantedChanges(row, now))
    expect(removalsTo(now)).toEqual(wantedRemovals(row))
  },
)

const specWith = ({ field, value }: Row): object =>
  field.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object

/** The findings are about what is named after the service; its Secret is minted, not rendered. */
const isInView = (path: string) => /^(?!Secret )\w+ ledger-NAME/.test(path)

const only = (paths: Paths, keep: (path: string, value: unknown) => boolean): Paths =>
  Object.fromEntries(Object.entries(paths).filter(([path, value]) => keep(path, value)))

const changesTo = (now: Paths): Paths =>
  only(now, (path, value) => isInView(path) && !isDeepStrictEqual(base[path], value))

const wantedChanges = ({ sets = {} }: Row, now: Paths): Paths =>
  only(sets, (path) => isInView(path) && (path in now || !isServerDefault(path)))

const removalsTo = (now: Paths): readonly string[] =>
  Object.keys(base)
    .filter((path) => !(path in now) && !isEmpty(base[path]))
    .sort()

/** A server's default that we never had cannot go either. */
const wantedRemovals = ({ removes = [] }: Row): readonly string[] =>
  removes.filter((path) => !isEmpty(former[path]) && (path in base || !isServerDefault(path))).toSorted()

/** To put something into an empty map does not remove it. */
const isEmpty = (value: unknown) => isDeepStrictEqual(value, {})
