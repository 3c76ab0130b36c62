import { describe, expect, test } from 'vitest'
import { aService } from '../../../../test/kit/rendered-service.ts'
import { renderEnv } from './env.ts'

const valuesOf = (spec: object, keysHash?: string) =>
  Object.fromEntries(
    renderEnv(aService(spec), keysHash === undefined ? undefined : { hash: keysHash, revision: 0 }).map(
      ({ name, value, valueFrom }) => [name, value ?? valueFrom],
    ),
  )
const namesOf = (spec: object) => renderEnv(aService(spec), undefined).map(({ name }) => name)

describe('a variable of the user’s', () => {
  test('LSV-13 replaces ours of the same name, and comes where the user has put it', () => {
    const extraEnv = [
      { name: 'PREFIX', value: 'a' },
      { name: 'CLUSTER_ID', value: '$(PREFIX)-books' },
    ]
    expect(namesOf({ extraEnv }).slice(-2)).toEqual(['PREFIX', 'CLUSTER_ID'])
    expect(namesOf({ extraEnv }).filter((name) => name === 'CLUSTER_ID')).toHaveLength(1)
    expect(valuesOf({ extraEnv })['CLUSTER_ID']).toBe('$(PREFIX)-books')
  })

  test('LSV-13 about the pod stands before those that refer to it', () => {
    const extraEnv = [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
    const names = namesOf({ extraEnv })
    expect(names.indexOf('POD_NAME')).toBeLessThan(names.indexOf('ADVERTISE_ADDR'))
    expect(names.filter((name) => name === 'POD_NAME')).toHaveLength(1)
  })

  test('LSV-13 that is given twice counts as it was given last', () => {
    const extraEnv = ['1', '2'].map((value) => ({ name: 'TWICE', value }))
    expect(namesOf({ extraEnv }).filter((name) => name === 'TWICE')).toHaveLength(1)
    expect(valuesOf({ extraEnv })['TWICE']).toBe('2')
  })
})

describe('the memory that the ledger aims at', () => {
  test.each([
    ['1Gi', undefined, '966367641'],
    ['1Gi', 50, '536870912'],
    ['1.5G', 100, '1500000000'],
    [2_000_000, 90, '1800000'],
  ])('LSV-9 of a limit of %s at %s percent is %s bytes', (memory, goMemLimitRatio, bytes) => {
    expect(valuesOf({ resources: { limits: { memory } }, goMemLimitRatio })['GOMEMLIMIT']).toBe(bytes)
  })

  test('LSV-9 is not said when there is no limit', () => {
    expect(valuesOf({ goMemLimitRatio: 50 })).not.toHaveProperty('GOMEMLIMIT')
  })
})

test('LSV-9 settings of a profiler and a recorder count once these are on', () => {
  const off = {
    pyroscope: { tags: 'a=b' },
    flightRecorder: { minAge: '1s' },
    traces: { sampling: { successRatio: '1' } },
  }
  const on = {
    pyroscope: { enabled: true, tags: 'a=b', applicationName: 'books' },
    flightRecorder: { enabled: true, minAge: '1s', maxBytes: '1Mi' },
    traces: { sampling: { enabled: true, successRatio: '0.5' } },
  }
  expect(namesOf({ monitoring: off }).filter((name) => /PYROSCOPE|RECORDER|SAMPLING/.test(name))).toEqual([])
  expect(valuesOf({ monitoring: on })).toMatchObject({
    PYROSCOPE_TAGS: 'a=b',
    PYROSCOPE_APPLICATION_NAME: 'books',
    FLIGHT_RECORDER_MIN_AGE: '1s',
    FLIGHT_RECORDER_MAX_BYTES: '1Mi',
    TRACE_SAMPLING_SUCCESS_RATIO: '0.5',
  })
})

test('LSV-9 keys for signatures come from their Secrets', () => {
  const values = valuesOf({
    responseSigning: { enabled: true, secretName: 'r' },
    receiptSigning: { secretName: 's', secretKey: 'k' },
  })
  expect(values).toMatchObject({
    RESPONSE_SIGNING_KEY: '/response-signing/seed',
    RECEIPT_SIGNING_KEY: { secretKeyRef: { name: 's', key: 'k' } },
  })
})

test('LSV-9 a mapping of scopes is the same text in whatever order it was written', () => {
  const mapping = (scopeMapping: object) => valuesOf({ auth: { scopeMapping } })['AUTH_SCOPE_MAPPING']
  expect(mapping({ b: ['x'], a: [] })).toBe('{"a":[],"b":["x"]}')
  expect(mapping({ a: [], b: ['x'] })).toBe('{"a":[],"b":["x"]}')
})
