import { z } from 'zod'
import type { Clock } from './clock.ts'
import { isPair, isToken, readCredentialFile, readToken } from './credential-files.ts'
import type { Header, Proof } from './credentials.ts'
import { execFields } from './exec-config.ts'
import { execPlugin } from './exec-plugin.ts'
import { impersonationHeaders, isHeaderValue } from './impersonation.ts'
import { type Cluster, clusterForPlugin } from './kubeconfig-cluster.ts'
import { base64, besideFile, parseFields, refused, unusable } from './kubeconfig-fields.ts'
import type { Entry } from './kubeconfig-file.ts'
import { fixed, reread, type Source } from './source.ts'

const noPasswords = refused('username and password are not supported: API servers no longer take them')
const impersonated = z
  .string()
  .refine(isHeaderValue, 'as, as-uid, as-groups or as-user-extra has a character that no header can carry')

const userFields = z.strictObject({
  'client-certificate': z.string().optional(),
  'client-certificate-data': base64.optional(),
  'client-key': z.string().optional(),
  'client-key-data': base64.optional(),
  token: z.string().trim().refine(isToken, 'token has a character that no header can carry').optional(),
  tokenFile: z.string().optional(),
  exec: execFields.optional(),
  as: impersonated.optional(),
  'as-uid': impersonated.optional(),
  'as-groups': z.array(impersonated).optional(),
  'as-user-extra': z.record(z.string(), z.array(impersonated)).optional(),
  username: noPasswords,
  password: noPasswords,
  'auth-provider': refused('auth-provider is not supported: use the exec plugin that took its place'),
  extensions: z.unknown().optional(),
})

type UserFields = z.infer<typeof userFields>

export interface User {
  readonly proofs: readonly Source<Proof>[]
  readonly headers: readonly Header[]
}

/** Nobody in particular, as a context without a user has it. */
export const anonymous: User = { proofs: [], headers: [] }

export const userOf = (entry: Entry, cluster: Cluster, clock: Clock): User => {
  const fields = parseFields(userFields, entry, 'user')
  const own = [...pairOf(entry, fields, clock), ...tokenOf(entry, fields, clock)]
  const headers = impersonationOf(entry, fields)
  const { exec } = fields
  if (exec === undefined) return { proofs: own, headers }
  if (own.length > 0)
    throw unusable(entry, 'user', 'exec and a certificate or token are two answers to who we are: keep one')
  const command = exec.command.includes('/') ? besideFile(entry, exec.command) : exec.command
  const plugin = { ...exec, command, name: exec.command }
  return { proofs: [execPlugin(plugin, clock, () => clusterForPlugin(cluster))], headers }
}

const impersonationOf = (entry: Entry, fields: UserFields): readonly Header[] => {
  const { as: user, 'as-uid': uid, 'as-groups': groups = [], 'as-user-extra': extra = {} } = fields
  if (user !== undefined) return impersonationHeaders({ user, uid, groups, extra })
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return []
  throw unusable(entry, 'user', 'as-uid, as-groups and as-user-extra mean nothing without as')
}

const tokenOf = (entry: Entry, { token, tokenFile }: UserFields, clock: Clock): readonly Source<Proof>[] => {
  const written = token === undefined ? undefined : { token }
  if (tokenFile === undefined) return written === undefined ? [] : [fixed(written)]
  // The token beside it stands in until the file could be read for the first time.
  return [reread<Proof>(clock, () => readToken(besideFile(entry, tokenFile)), written)]
}

const pairOf = (entry: Entry, fields: UserFields, clock: Clock): readonly Source<Proof>[] => {
  const { 'client-certificate-data': cert, 'client-certificate': certFile } = fields
  const { 'client-key-data': key, 'client-key': keyFile } = fields
  const hasCert = (cert ?? certFile) !== undefined
  const hasKey = (key ?? keyFile) !== undefined
  if (!hasCert && !hasKey) return []
  if (!hasCert || !hasKey) {
    throw unusable(entry, 'user', 'client-certificate and client-key go together, and one of them is missing')
  }
  if (cert !== undefined && key !== undefined) return [fixed(paired(entry, cert, key))]
  const read = async (what: string, data: string | undefined, path = '') =>
    data ?? (await readCredentialFile(what, besideFile(entry, path)))
  return [
    reread(clock, async () => {
      const pair = [read('client certificate', cert, certFile), read('client key', key, keyFile)] as const
      return paired(entry, ...(await Promise.all(pair)))
    }),
  ]
}

const paired = (entry: Entry, cert: string, key: string): Proof => {
  if (!isPair(cert, key)) throw unusable(entry, 'user', 'client-certificate and client-key do not fit together')
  return { cert, key }
}
