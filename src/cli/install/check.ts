import { narrowingsOf, type Shapes } from '../../api/narrowings.ts'
import { errorOfReply, parseReply } from '../../kube/api-error.ts'
import { type Client, createClient, pathOf } from '../../kube/client.ts'
import { declaredClient } from '../../kube/declared-client.ts'
import { discover } from '../../kube/discovery.ts'
import type { Port } from '../../kube/port.ts'
import { apiVersionOf, CustomResourceDefinition, type Kind } from '../../pure/kind.ts'
import { type KubeObject, printKey } from '../../pure/object.ts'
import type { Right } from '../../pure/rights.ts'
import { differingPaths, summaryOf } from './differing-paths.ts'
import type { Installed } from './installation.ts'

/** How a cluster stands to what would be installed, in lines for people. */
export interface CheckReport {
  /** Objects that are missing or would be changed, and where. */
  readonly differences: readonly string[]
  /** What the CRDs that are installed take, and ours do not. */
  readonly narrowings: readonly string[]
}

// Who follows the docs installs with `kubectl apply --server-side`: so the fields are this manager's.
const installer = 'kubectl'

/**
 * Asks the API server itself what installing would change, by a dry run: it alone knows its defaults. Nothing is
 * written.
 */
export const checkInstallation = async (
  port: Port,
  objects: readonly Installed[],
  signal: AbortSignal,
): Promise<CheckReport> => {
  const served = await discover(port, signal)
  const wanted = objects.map((object) => ({ object, kind: kindOf(object, served) }))
  const client = readingClient(createClient(port, signal), wanted)
  const compared = await Promise.all(
    wanted.map(async ({ object, kind }) => {
      const live = await client.get(kind, object.metadata)
      const what = `${object.kind} ${printKey(object.metadata)}`
      if (live === undefined) return { differences: [`${what}: missing`], narrowings: [] }
      const paths = differingPaths(contentOf(live), contentOf(await dryRun(port, kind, object, signal)))
      const isCrd = kind.plural === CustomResourceDefinition.plural
      return {
        differences: summaryOf(paths).map((line) => `${what}: ${line}`),
        narrowings: isCrd ? narrowingsIn(what, live, object) : [],
      }
    }),
  )
  return {
    differences: compared.flatMap(({ differences }) => differences),
    narrowings: compared.flatMap(({ narrowings }) => narrowings),
  }
}

interface Wanted {
  readonly object: Installed
  readonly kind: Kind
}

/** A check reads these objects by name, and does nothing else. */
const readingClient = (client: Client, wanted: readonly Wanted[]): Client => {
  const rights = wanted.map(({ kind, object: { metadata } }): Right => {
    const { name, namespace } = metadata
    return { kind, verbs: ['get'], where: namespace === undefined ? 'cluster' : { namespace }, names: [name] }
  })
  return declaredClient(client, rights, { own: '', watched: [] })
}

const kindOf = ({ apiVersion, kind }: Installed, served: readonly Kind[]): Kind => {
  const found = served.find((other) => apiVersionOf(other) === apiVersion && other.kind === kind)
  if (found !== undefined) return found
  throw new Error(`the cluster does not serve ${kind} (${apiVersion}): it needs Kubernetes 1.35 or newer`)
}

/** The object as it would be after installing. */
const dryRun = async (port: Port, kind: Kind, object: Installed, signal: AbortSignal): Promise<KubeObject> => {
  const asked = { verb: 'apply', kind, key: object.metadata } as const
  const reply = await port.call(
    {
      method: 'PATCH',
      path: pathOf(kind, object.metadata),
      query: { dryRun: 'All', fieldManager: installer, force: 'true', fieldValidation: 'Strict' },
      accept: 'application/json',
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(object),
    },
    signal,
  )
  if (reply.status >= 300) throw errorOfReply(asked, reply)
  return parseReply<KubeObject>(asked, reply)
}

/** What people decide about an object: not its status, nor what the server keeps about it. */
const contentOf = (object: KubeObject): object => {
  const { metadata, status: _, ...content } = object as KubeObject & { readonly status?: unknown }
  return { ...content, metadata: { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} } }
}

const narrowingsIn = (what: string, live: unknown, ours: unknown): readonly string[] =>
  narrowingsOf(live as Shapes, ours as Shapes).map((narrowing) => `${what}: ${narrowing}`)
