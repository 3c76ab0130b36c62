import { z } from 'zod'
import type { Kind } from '../pure/kind.ts'

export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'date' | 'integer'
  readonly jsonPath: string
  readonly description: string
  readonly priority?: number
}

/** A rule that the API server itself enforces, in CEL. */
export interface Rule {
  readonly rule: string
  readonly message: string
}

/** The one definition of a kind: its type, its CRD and its reference page all come from here. */
export interface KindDefinition extends Kind {
  readonly isCustom: true
  readonly singular: string
  readonly shortNames: readonly string[]
  /** What it is, in one sentence. */
  readonly summary: string
  readonly spec: z.ZodObject
  readonly status: z.ZodObject
  readonly rules: readonly Rule[]
  readonly columns: readonly PrinterColumn[]
}

/** A type of Kubernetes' own, taken from the server's OpenAPI instead of written again (core-schemas.json). */
export const coreType = <T = unknown>(name: string) => z.custom<T>().meta({ 'x-core-type': name })

/** An amount such as 10Gi, or a plain number. */
export const quantity = () => coreType<string | number>('Quantity')

/** What a controller says of its object; of each type there is one. */
export const conditions = () =>
  z
    .array(coreType('Condition'))
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })

export const int32 = () => z.int32().meta({ format: 'int32' })

/** A field with rules of its own. */
export const ruled = <T extends z.ZodType>(field: T, ...rules: readonly Rule[]): T =>
  field.meta({ 'x-kubernetes-validations': rules })

/** A part of a kind in which a text that has no bound of its own has at most so many characters. */
export const bounded = <T extends z.ZodType>(part: T, longest: number): T => part.meta({ 'x-longest': longest })

/** What Kubernetes takes for all annotations of an object: nothing that is handed on is longer. */
export const longestText = 262_144

/** The columns of the condition that sums up all others. */
export const readyColumns = (name: string, description: string): readonly PrinterColumn[] => {
  const ready = '.status.conditions[?(@.type=="Ready")]'
  return [
    { name, type: 'string', jsonPath: `${ready}.status`, description },
    { name: 'Reason', type: 'string', jsonPath: `${ready}.reason`, description: 'Why, in a word.' },
    { name: 'Since', type: 'date', jsonPath: `${ready}.lastTransitionTime`, description: 'Since when.', priority: 1 },
  ]
}
