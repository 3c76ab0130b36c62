import 'reflect-metadata'
import { KeyObject, randomBytes, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

export interface KeyAndCertificate {
  readonly key: string
  readonly certificate: string
}

export interface Authority {
  readonly certificate: string
  issueServer(commonName: string, addresses: readonly string[]): Promise<KeyAndCertificate>
  issueClient(subject: { readonly user: string; readonly group: string }): Promise<KeyAndCertificate>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 60 * 60 * 1000

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

const keyPem = (key: webcrypto.CryptoKey): string => {
  const object = KeyObject.from(key)
  return object.export({ type: object.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
}

/** The library leaves out the final newline, without which two PEM blocks run together. */
const certificatePem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`

/** From a day ago, so that a clock set back does not refuse it, to a year ahead. */
const validity = () => ({ notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 365 * day) })

// The first bit stays clear: a serial number is a positive integer.
const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`

/** A certificate authority that lives as long as one control plane; its key is never written anywhere. */
export const createAuthority = async (): Promise<Authority> => {
  const keys = await newKeys()
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=holdfast-dev-ca',
    ...validity(),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })

  const issue = async (subject: x509.JsonName, extensions: x509.Extension[]): Promise<KeyAndCertificate> => {
    const subjectKeys = await newKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: new x509.Name(subject).toString(),
      issuer: own.subject,
      ...validity(),
      signingAlgorithm: algorithm,
      publicKey: subjectKeys.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ...extensions,
      ],
    })
    return { key: keyPem(subjectKeys.privateKey), certificate: certificatePem(certificate) }
  }

  return {
    certificate: certificatePem(own),
    issueServer: (commonName, addresses) =>
      issue(
        [{ CN: [commonName] }],
        [
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension([
            { type: 'dns', value: 'localhost' },
            ...addresses.map((value) => ({ type: 'ip' as const, value })),
          ]),
        ],
      ),
    issueClient: ({ user, group }) =>
      issue([{ O: [group] }, { CN: [user] }], [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])]),
  }
}

/** What the API server signs and checks service account tokens with. */
export const newSigningKeys = async (): Promise<{ readonly privateKey: string; readonly publicKey: string }> => {
  const keys = await newKeys()
  return { privateKey: keyPem(keys.privateKey), publicKey: keyPem(keys.publicKey) }
}
