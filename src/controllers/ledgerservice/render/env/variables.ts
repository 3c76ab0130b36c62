import type { EnvVar } from '../../../../api/ledgerservice/kubernetes.ts'
import { canonicalQuantity } from '../../../../pure/quantity.ts'
import type { CompleteService, CompleteSpec } from '../../defaults.ts'
import { type FieldPath, valueAt } from '../../field-path.ts'

type Field = FieldPath<CompleteSpec>

/** A variable that is made of several fields, or that is not printed as its field is written. */
interface Composed {
  readonly of: readonly Field[]
  readonly print: (service: CompleteService) => string | undefined
}

/** Each variable with the field that it prints. A field that is not set has no variable. */
export interface VariableTable {
  /** A switch: while it is off, none of these variables is there. */
  readonly when?: Field
  readonly variables: Readonly<Record<string, Field | Composed>>
}

export const variablesOf = ({ when, variables }: VariableTable, service: CompleteService): readonly EnvVar[] => {
  if (when !== undefined && valueAt(service.spec, when) !== true) return []
  return Object.entries(variables).flatMap(([name, source]) => {
    const value = typeof source === 'string' ? printed(valueAt(service.spec, source)) : source.print(service)
    return value === undefined ? [] : [{ name, value }]
  })
}

/** A variable that prints an amount of bytes, as Kubernetes prints it. */
export const quantity = (field: Field): Composed => ({
  of: [field],
  print: ({ spec }) => {
    const value = valueAt(spec, field)
    return typeof value === 'string' || typeof value === 'number' ? printed(canonicalQuantity(value)) : undefined
  },
})

/**
 * The fields that a variable prints.
 * @internal
 */
export const fieldsOf = (source: Field | Composed): readonly Field[] =>
  typeof source === 'string' ? [source] : source.of

const printed = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
