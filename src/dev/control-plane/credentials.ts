import { writeFile } from 'node:fs/promises'
import type { AdminAccess } from './admin-request.ts'
import { createAuthority, newSigningKeys } from './certificates.ts'
import type { Files } from './command-lines.ts'
import { renderKubeconfig } from './kubeconfig.ts'

/** Makes and writes every key and certificate of one control plane, and the administrator's kubeconfig. */
export const writeCredentials = async (files: Files, url: string): Promise<AdminAccess> => {
  const [authority, signing] = await Promise.all([createAuthority(), newSigningKeys()])
  const [serving, admin] = await Promise.all([
    authority.issueServer('kube-apiserver', ['127.0.0.1']),
    authority.issueClient({ user: 'holdfast-dev-admin', group: 'system:masters' }),
  ])
  const contents: readonly (readonly [string, string])[] = [
    [files.authority, authority.certificate],
    [files.servingCertificate, serving.certificate],
    [files.servingKey, serving.key],
    [files.signingKey, signing.privateKey],
    [files.verifyingKey, signing.publicKey],
    [files.kubeconfig, renderKubeconfig(url, authority.certificate, admin)],
  ]
  await Promise.all(contents.map(([file, content]) => writeFile(file, content, { mode: 0o600 })))
  return { url, authority: authority.certificate, admin }
}
