import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Proof } from './credentials.ts'

/** The content of a credential's file. Errors name the file and never quote it. */
export const readCredentialFile = async (what: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    throw new Error(`cannot read the ${what} ${path}: ${code}`, { cause })
  }
}

export const readToken = async (path: string): Promise<Proof> => {
  const token = (await readCredentialFile('token', path)).trim()
  if (!isToken(token)) throw new Error(`cannot use the token ${path}: it is empty, or holds what no header can carry`)
  return { token }
}

export const readAuthority = async (path: string): Promise<string> => {
  const ca = await readCredentialFile('certificate authority', path)
  if (!isCertificate(ca)) throw new Error(`cannot use the certificate authority ${path}: it holds no certificate`)
  return ca
}

export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** TLS would take a file without any certificate as it is, and then trust nobody. */
export const isCertificate = (pem: string): boolean => {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}

export const isPair = (cert: string, key: string): boolean => {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
