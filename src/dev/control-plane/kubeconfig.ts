import { stringify } from 'yaml'
import type { KeyAndCertificate } from './certificates.ts'

const base64 = (pem: string): string => Buffer.from(pem).toString('base64')

/** A kubeconfig that needs no other file. */
export const renderKubeconfig = (url: string, authority: string, admin: KeyAndCertificate): string => {
  const name = 'holdfast-dev'
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': base64(authority) } }],
    contexts: [{ name, context: { cluster: name, user: 'admin' } }],
    users: [
      {
        name: 'admin',
        user: { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) },
      },
    ],
  })
}
