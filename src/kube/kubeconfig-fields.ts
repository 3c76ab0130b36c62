import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { Entry } from './kubeconfig-file.ts'

// Line breaks in base64 mean nothing; a parser that is strict on them would refuse what kubectl takes.
export const base64 = z
  .string()
  .transform((text) => text.replaceAll(/[\r\n]/g, ''))
  .pipe(z.base64())
  .transform((text) => Buffer.from(text, 'base64').toString('utf8'))

/** A field that changes who we are or whom we trust in a way that we do not follow, with the sentence that says so. */
export const refused = (why: string) =>
  z
    .unknown()
    .refine(() => false, why)
    .optional()

export const unusable = ({ file, name }: Entry, what: string, why: string): Error =>
  new Error(`cannot use kubeconfig ${file}: ${what} "${name}": ${why}`)

/**
 * What an entry's fields mean. A field that the schema does not know could change who we are or whom we trust: better to
 * say so than to try without. Only our own sentences are passed on: the library's may quote a credential.
 */
export const parseFields = <T>(schema: z.ZodType<T>, entry: Entry, what: string): T => {
  const result = schema.safeParse(entry.fields)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => {
    const place = issue.path.join('.')
    if (issue.code === 'custom') return issue.message
    if (issue.code !== 'unrecognized_keys') return `wrong or missing ${place}`
    const unknown = issue.keys.map((key) => [...issue.path, key].join('.'))
    return `${unknown.join(', ')} is not supported`
  })
  throw unusable(entry, what, faults.join('; '))
}

/** A path in a kubeconfig starts from the file that has it. */
export const besideFile = ({ file }: Entry, path: string): string => resolve(dirname(file), path)
