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
export const coreType = (name: string) => z.unknown().meta({ 'x-core-type': name })
