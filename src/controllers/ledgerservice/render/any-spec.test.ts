import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spec as schema } from '../../../api/ledgerservice-schema.ts'
import { structuralSchemaOf } from '../../../api/structural.ts'
import { anyValue } from '../../../../test/kit/any-value.ts'
import { aService } from '../../../../test/kit/rendered-service.ts'
import { unrendered, unsupportedFieldsOf } from '../unrendered.ts'
import { renderChildren } from './children.ts'
import { renderPod } from './pod.ts'

const anySpec = anyValue(structuralSchemaOf(schema)) as fc.Arbitrary<object>
const anyWiring = fc.option(fc.record({ hash: fc.string(), revision: fc.nat() }), { nil: undefined })

test('LSV-16 whatever the API server accepts is rendered, and always in the same way', () => {
  fc.assert(
    fc.property(anySpec, anyWiring, (spec, wiring) => {
      const copy = JSON.parse(JSON.stringify(spec)) as object
      const [once, again] = [renderChildren(aService(spec), wiring), renderChildren(aService(copy), wiring)]
      expect(JSON.stringify(again)).toBe(JSON.stringify(once))
    }),
  )
})

test('LSV-16 no variable is there twice, and what is mounted is there', () => {
  fc.assert(
    fc.property(anySpec, anyWiring, (spec, wiring) => {
      const pod = renderPod(aService(spec), wiring).spec
      const { env, volumeMounts } = pod.containers[0]!
      const names = env.map(({ name }) => name)
      expect(names).toHaveLength(new Set(names).size)
      const volumes = ['wal', 'data', 'cold-cache', ...(pod.volumes ?? []).map(({ name }) => name)]
      expect(volumeMounts.map(({ name }) => name)).toEqual(volumes)
    }),
  )
})

test('LSV-11 fields without effect are told in the order of the list', () => {
  fc.assert(
    fc.property(anySpec, (spec) => {
      const told = unsupportedFieldsOf(schema.parse(spec))
      expect(told).toEqual(unrendered.filter((path) => told.includes(path)))
    }),
  )
})
