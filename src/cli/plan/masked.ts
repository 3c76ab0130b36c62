import type { Desired } from '../../pure/effects.ts'
import { apiVersionOf, type Kind, Secret } from '../../pure/kind.ts'
import { shown } from '../../pure/secret-text.ts'

/** An object as people may see it: of a Secret's content, and of what is copied from one, only that it is there. */
export const masked = (kind: Kind, object: object): Readonly<Record<string, unknown>> => {
  const isSecret = kind.plural === Secret.plural && kind.group === Secret.group
  const fields = Object.entries(object).map(([field, value]: [string, unknown]) =>
    field === 'data' || field === 'stringData' ? [field, withoutSecrets(value, isSecret)] : [field, value],
  )
  return Object.fromEntries(fields) as Readonly<Record<string, unknown>>
}

/** A desired object in full, as a manifest would have it. */
export const maskedManifest = (kind: Kind, object: Desired): Readonly<Record<string, unknown>> => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  ...masked(kind, object),
})

const withoutSecrets = (data: unknown, isSecret: boolean): unknown => {
  const entries = Object.entries((data ?? {}) as Readonly<Record<string, unknown>>)
  // What is no text is a reference to a secret.
  return Object.fromEntries(entries.map(([key, value]) => [key, isSecret || typeof value !== 'string' ? shown : value]))
}
