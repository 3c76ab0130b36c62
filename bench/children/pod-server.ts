// A server of objects that nobody had to create: as much of the API server's list and watch as readers need, over TLS.
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { createAuthority } from '../../src/dev/control-plane/certificates.ts'
import { renderKubeconfig } from '../../src/dev/control-plane/kubeconfig.ts'
import { sampleConfigMap, samplePod, sampleSecret } from '../sample-objects.ts'

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '0' },
    events: { type: 'string', default: '0' },
    kubeconfig: { type: 'string', default: '' },
  },
})
const size = Number(values.objects)
const events = Number(values.events)
// What a socket takes at once.
const bytesPerWrite = 60_000
const firstVersion = 1_000_000

const inPieces = (make: (n: number) => object): readonly string[] =>
  Array.from({ length: size }, (_, n) => JSON.stringify(make(n)))

const makers: Readonly<Record<string, (n: number) => object>> = {
  '/api/v1/pods': samplePod,
  '/api/v1/secrets': sampleSecret,
  '/api/v1/secrets metadata': (n) => ({ metadata: sampleSecret(n).metadata }),
}

const made = new Map<string, readonly string[]>()

const objectsAt = (path: string, accept: string): readonly string[] | undefined => {
  const name = accept.includes('PartialObjectMetadata') ? `${path} metadata` : path
  const make = makers[name]
  if (make === undefined) return undefined
  const objects = made.get(name) ?? inPieces(make)
  made.set(name, objects)
  return objects
}

const version = (object: string, n: number): string =>
  object.replace('"resourceVersion":"1"', `"resourceVersion":"${n}"`)

const bookmark = JSON.stringify({
  type: 'BOOKMARK',
  object: {
    metadata: { resourceVersion: String(firstVersion), annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
})

/** Writes lines as fast as they are taken. */
const writeLines = async (response: ServerResponse, lines: Iterable<string>): Promise<void> => {
  let batch: string[] = []
  let length = 0
  const flush = async () => {
    if (!response.write(batch.join(''))) await once(response, 'drain')
    batch = []
    length = 0
  }
  for (const line of lines) {
    batch.push(line, '\n')
    length += line.length
    if (length > bytesPerWrite) await flush()
  }
  if (batch.length > 0) await flush()
}

const changes = function* (objects: readonly string[]): Generator<string> {
  for (let n = 1; n <= events; n += 1) {
    yield `{"type":"MODIFIED","object":${version(objects[n % size] ?? '{}', firstVersion + n)}}`
  }
}

const list = (response: ServerResponse, objects: readonly string[], query: URLSearchParams): void => {
  const start = Number(query.get('continue') ?? 0)
  const end = Math.min(size, start + Number(query.get('limit') ?? size))
  const next = end < size ? `,"continue":"${end}"` : ''
  const metadata = `{"resourceVersion":"${firstVersion}"${next}}`
  const items = objects.slice(start, end).join(',')
  response.end(`{"kind":"List","apiVersion":"v1","metadata":${metadata},"items":[${items}]}`)
}

const watch = async (response: ServerResponse, objects: readonly string[], query: URLSearchParams): Promise<void> => {
  response.flushHeaders()
  if (query.get('sendInitialEvents') === 'true') {
    await writeLines(
      response,
      objects.values().map((object) => `{"type":"ADDED","object":${object}}`),
    )
    await writeLines(response, [bookmark])
  }
  await writeLines(response, changes(objects))
}

let opened = 0

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://server')
  response.setHeader('content-type', 'application/json')
  if (pathname === '/connections') return void response.end(String(opened))
  const objects = objectsAt(pathname, request.headers.accept ?? '')
  if (objects === undefined) return void response.end(one)
  if (searchParams.get('watch') === 'true') return watch(response, objects, searchParams)
  list(response, objects, searchParams)
}

const one = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...sampleConfigMap('default', 'one') })
const authority = await createAuthority()
const [{ key, certificate }, admin] = await Promise.all([
  authority.issueServer('pod-server', ['127.0.0.1']),
  authority.issueClient({ user: 'bench', group: 'bench' }),
])
const server = createServer({ key, cert: certificate }, (request, response) => void answer(request, response))
// Else the server would close a connection that waits, and the count would be of that.
server.keepAliveTimeout = 0
server.on('connection', () => (opened += 1))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
writeFileSync(values.kubeconfig, renderKubeconfig(url, authority.certificate, admin), { mode: 0o600 })
process.send?.('listening')
