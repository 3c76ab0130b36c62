import type { StructuralSchema } from './structural.ts'
import { getOwn } from '../pure/own.ts'

/** What a CustomResourceDefinition says about the shape of objects. */
export interface Shapes {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string
      readonly served: boolean
      readonly schema?: { readonly openAPIV3Schema?: StructuralSchema }
    }[]
  }
}

type Compare = (path: string, installed: StructuralSchema, ours: StructuralSchema) => readonly string[]

/**
 * Where a CRD of ours would refuse, drop or no longer serve what the installed one takes, as sentences that begin with
 * the path. CEL rules are not weighed: the API server does not hold a new one against what is stored and unchanged.
 */
export const narrowingsOf = (installed: Shapes, ours: Shapes): readonly string[] =>
  installed.spec.versions
    .filter(({ served }) => served)
    .flatMap(({ name, schema }) => {
      const successor = ours.spec.versions.find((version) => version.name === name && version.served)
      if (successor === undefined) return [`${name}: would no longer be served`]
      return narrowed(name, schema?.openAPIV3Schema ?? {}, successor.schema?.openAPIV3Schema ?? {})
    })

const narrowed: Compare = (path, installed, ours) => comparisons.flatMap((compare) => compare(path, installed, ours))

const takesUnknownFields = (schema: StructuralSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true

const ofType: Compare = (path, installed, ours) => {
  const from = installed.type ?? 'any'
  const to = ours.type ?? 'any'
  if (from !== to) return [`${path}: its type would change from ${from} to ${to}`]
  if (ours.format === undefined || ours.format === installed.format) return []
  return [`${path}: its format would change from ${installed.format ?? 'any'} to ${ours.format}`]
}

const ofProperties: Compare = (path, installed, ours) =>
  Object.entries(installed.properties ?? {}).flatMap(([name, schema]) => {
    const successor = getOwn(ours.properties, name) ?? ours.additionalProperties
    if (successor !== undefined) return narrowed(`${path}.${name}`, schema, successor)
    return takesUnknownFields(ours) ? [] : [`${path}.${name}: the field would go`]
  })

const ofMaps: Compare = (path, installed, ours) => {
  if (takesUnknownFields(ours)) return []
  if (takesUnknownFields(installed)) return [`${path}: fields that the schema does not name would go`]
  if (installed.additionalProperties === undefined) return []
  if (ours.additionalProperties === undefined) return [`${path}: it would no longer be a map`]
  return narrowed(`${path}.*`, installed.additionalProperties, ours.additionalProperties)
}

const ofItems: Compare = (path, installed, ours) =>
  installed.items === undefined || ours.items === undefined ? [] : narrowed(`${path}[]`, installed.items, ours.items)

const ofRequired: Compare = (path, installed, ours) =>
  (ours.required ?? [])
    .filter((name) => installed.required?.includes(name) !== true)
    .map((name) => `${path}.${name}: would become required`)

const ofEnum: Compare = (path, installed, ours) => {
  if (!Array.isArray(ours['enum'])) return []
  if (!Array.isArray(installed['enum'])) return [`${path}: would be limited to certain values`]
  const kept = new Set<unknown>(ours['enum'])
  return installed['enum']
    .filter((value) => !kept.has(value))
    .map((value) => `${path}: the value ${JSON.stringify(value)} would no longer be allowed`)
}

const ofPattern: Compare = (path, { pattern: installed }, { pattern: ours }) => {
  if (ours === undefined || ours === installed) return []
  return [`${path}: its pattern would ${installed === undefined ? 'be new' : 'change'}`]
}

/** Each bound with what its absence means. */
const lowerBounds = { minimum: -Infinity, minLength: 0, minItems: 0, minProperties: 0 }
const upperBounds = { maximum: Infinity, maxLength: Infinity, maxItems: Infinity, maxProperties: Infinity }

const ofBounds: Compare = (path, installed, ours) => [
  ...Object.entries(lowerBounds)
    .filter(([bound, none]) => numberOf(getOwn(ours, bound), none) > numberOf(getOwn(installed, bound), none))
    .map(([bound]) => `${path}: its ${bound} would be raised to ${String(getOwn(ours, bound))}`),
  ...Object.entries(upperBounds)
    .filter(([bound, none]) => numberOf(getOwn(ours, bound), none) < numberOf(getOwn(installed, bound), none))
    .filter(([bound]) => bound !== 'maxLength' || !isSafeguard(installed, ours))
    .map(([bound]) => `${path}: its ${bound} would be lowered to ${String(getOwn(ours, bound))}`),
]

// The least that we give a text whose length says nothing: that of a quantity.
const leastSafeguard = 64

/**
 * A first bound this wide refuses nothing that means something, and the API server does not hold it against what is stored
 * and unchanged.
 */
const isSafeguard = (installed: StructuralSchema, ours: StructuralSchema): boolean =>
  installed['maxLength'] === undefined && numberOf(ours['maxLength'], 0) >= leastSafeguard

const numberOf = (bound: unknown, otherwise: number): number => (typeof bound === 'number' ? bound : otherwise)

const ofNull: Compare = (path, installed, ours) =>
  installed['nullable'] === true && ours['nullable'] !== true ? [`${path}: null would no longer be allowed`] : []

const comparisons: readonly Compare[] = [
  ofType,
  ofProperties,
  ofMaps,
  ofItems,
  ofRequired,
  ofEnum,
  ofPattern,
  ofBounds,
  ofNull,
]
