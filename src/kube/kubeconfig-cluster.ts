import { z } from 'zod'
import type { Clock } from './clock.ts'
import { isCertificate, readAuthority } from './credential-files.ts'
import { base64, besideFile, parseFields, refused, unusable } from './kubeconfig-fields.ts'
import type { Entry } from './kubeconfig-file.ts'
import { fixed, reread, type Source } from './source.ts'

const extensions = z.array(z.object({ name: z.string(), extension: z.unknown() }))

const clusterFields = z.strictObject({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': base64.optional(),
  'tls-server-name': z.string().optional(),
  'insecure-skip-tls-verify': z
    .boolean()
    .refine((skip) => !skip, 'insecure-skip-tls-verify is refused: name the certificate-authority to trust instead')
    .optional(),
  'proxy-url': refused('proxy-url is not supported: the API server must be reachable without a proxy'),
  // Replies come uncompressed anyway.
  'disable-compression': z.boolean().optional(),
  extensions: extensions.optional(),
})

export interface Cluster {
  readonly server: string
  readonly servername: string | undefined
  readonly ca: Source<string | undefined>
  /** What this cluster has to say to a credential plugin. */
  readonly pluginConfig: unknown
}

/** Where the extension for credential plugins is kept. */
const pluginExtension = 'client.authentication.k8s.io/exec'

export const clusterOf = (entry: Entry, clock: Clock): Cluster => {
  const fields = parseFields(clusterFields, entry, 'cluster')
  return {
    server: fields.server,
    servername: fields['tls-server-name'],
    ca: authorityOf(entry, fields, clock),
    pluginConfig: fields.extensions?.find(({ name }) => name === pluginExtension)?.extension,
  }
}

/** A cluster as a credential plugin is told of it. */
export const clusterForPlugin = async ({ server, servername, ca, pluginConfig }: Cluster): Promise<object> => {
  const trusted = await ca.current()
  return {
    server,
    ...(servername === undefined ? {} : { 'tls-server-name': servername }),
    ...(trusted === undefined ? {} : { 'certificate-authority-data': Buffer.from(trusted).toString('base64') }),
    ...(pluginConfig === undefined ? {} : { config: pluginConfig }),
  }
}

const authorityOf = (entry: Entry, fields: z.infer<typeof clusterFields>, clock: Clock): Source<string | undefined> => {
  const inline = fields['certificate-authority-data']
  if (inline !== undefined && !isCertificate(inline)) {
    throw unusable(entry, 'cluster', 'certificate-authority-data holds no certificate')
  }
  const file = fields['certificate-authority']
  if (inline !== undefined || file === undefined) return fixed(inline)
  return reread(clock, () => readAuthority(besideFile(entry, file)))
}
