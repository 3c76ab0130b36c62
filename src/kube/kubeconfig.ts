import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Credentials } from './credentials.ts'

const named = <Name extends string, Value extends z.ZodType>(field: Name, value: Value) =>
  z.array(z.object({ name: z.string() }).and(z.object({ [field]: value } as Record<Name, Value>)))

const kubeconfig = z.object({
  'current-context': z.string().optional(),
  contexts: named('context', z.object({ cluster: z.string(), user: z.string() })),
  clusters: named(
    'cluster',
    z.looseObject({
      server: z.url(),
      'certificate-authority': z.string().optional(),
      'certificate-authority-data': z.base64().optional(),
    }),
  ),
  users: named(
    'user',
    z.looseObject({
      'client-certificate': z.string().optional(),
      'client-certificate-data': z.base64().optional(),
      'client-key': z.string().optional(),
      'client-key-data': z.base64().optional(),
      token: z.string().optional(),
    }),
  ),
})

// What we leave out would change who we are or whom we trust: better to say so than to try without.
const supported = new Set([
  'server',
  'certificate-authority',
  'certificate-authority-data',
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'token',
])

/** The credentials of a kubeconfig's current context: client certificate or token. */
export const readKubeconfig = (path: string): Credentials => {
  const config = parseFile(path)
  const find = <T extends { name: string }>(what: string, list: readonly T[], name: string | undefined): T => {
    const found = list.find((item) => item.name === name)
    if (found === undefined) throw new Error(`cannot use kubeconfig ${path}: it has no ${what} "${name ?? ''}"`)
    return found
  }
  const { context } = find('context', config.contexts, config['current-context'])
  const { cluster } = find('cluster', config.clusters, context.cluster)
  const { user } = find('user', config.users, context.user)
  for (const [what, name, fields] of [
    ['cluster', context.cluster, cluster],
    ['user', context.user, user],
  ] as const) {
    const unknown = Object.keys(fields).filter((field) => !supported.has(field))
    if (unknown.length > 0) {
      throw new Error(
        `cannot use kubeconfig ${path}: ${what} "${name}" has ${unknown.join(', ')}, which is not supported`,
      )
    }
  }
  const pem = (data: string | undefined, file: string | undefined): string | undefined => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
    return file === undefined ? undefined : readFileSync(resolve(dirname(path), file), 'utf8')
  }
  return {
    server: cluster.server,
    ca: pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: pem(user['client-certificate-data'], user['client-certificate']),
    key: pem(user['client-key-data'], user['client-key']),
    token: user.token,
  }
}

const parseFile = (path: string): z.infer<typeof kubeconfig> => {
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`cannot read kubeconfig ${path}: it is missing, unreadable or not YAML`, { cause })
  }
  const result = kubeconfig.safeParse(content)
  if (result.success) return result.data
  // Only paths: a value in a kubeconfig may be a credential.
  const paths = result.error.issues.map((issue) => issue.path.join('.')).join(', ')
  throw new Error(`cannot use kubeconfig ${path}: wrong or missing ${paths}`)
}
