import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ApiServer } from './api-server.ts'

/**
 * A kubeconfig with which a client is a service account, by a token that the server has issued. It is for the cluster
 * of the administrator's kubeconfig: the shared one, unless another is given.
 */
export const serviceAccountKubeconfig = async (
  api: ApiServer,
  namespace: string,
  name: string,
  adminKubeconfig = inject('kubeconfig'),
) => {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const { body } = await api.post(path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })
  const { token } = body['status'] as { readonly token: string }
  const admins = parse(readFileSync(adminKubeconfig, 'utf8')) as { readonly users: readonly { name: string }[] }
  const users = admins.users.map((user) => ({ name: user.name, user: { token } }))
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  const file = join(directory, 'kubeconfig')
  writeFileSync(file, stringify({ ...admins, users }), { mode: 0o600 })
  return { file, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
}
