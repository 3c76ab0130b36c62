import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { openCache } from '../../src/dev/control-plane/cache.ts'
import { readGoModule } from '../../src/dev/control-plane/go-module.ts'
import { downloadPrograms } from '../../src/dev/control-plane/released.ts'
import { aScratch, type Scratch } from './scratch.ts'
import { aSearch } from './search.ts'

type Pages = Map<string, string | Buffer>

const hashOf = (algorithm: string, content: string | Buffer): string =>
  createHash(algorithm).update(content).digest('hex')

/** Serves the pages on loopback for as long as the test runs. */
const serve = async (pages: Pages): Promise<AsyncDisposable & { readonly url: string }> => {
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    response.writeHead(page === undefined ? 404 : 200).end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close }
}

/** An archive that holds one folder with the named programs. */
const anArchive = async (scratch: Scratch, names: readonly string[]): Promise<Buffer> => {
  await mkdir(join(scratch.directory, 'folder'))
  for (const name of names)
    await rename(await scratch.script(name, `# ${name}`), join(scratch.directory, 'folder', name))
  const file = join(scratch.directory, 'archive.tar.gz')
  execFileSync('tar', ['-czf', file, '-C', scratch.directory, 'folder'])
  return readFile(file)
}

const arch = process.arch === 'x64' ? 'amd64' : process.arch

const linuxPages = async (scratch: Scratch): Promise<Pages> => {
  const { kubernetesVersion, etcdVersion } = await readGoModule()
  const archive = await anArchive(scratch, ['etcd', 'etcdctl'])
  const name = `etcd-${etcdVersion}-linux-${arch}.tar.gz`
  const servers = ['kube-apiserver', 'kube-controller-manager'].flatMap((server): [string, string][] => {
    const path = `/${kubernetesVersion}/bin/linux/${arch}/${server}`
    return [
      [path, server],
      [`${path}.sha512`, hashOf('sha512', server)],
    ]
  })
  return new Map<string, string | Buffer>([
    [`/${etcdVersion}/${name}`, archive],
    [`/${etcdVersion}/SHA256SUMS`, `${hashOf('sha256', 'other')}  other.zip\n${hashOf('sha256', archive)}  ${name}\n`],
    ...servers,
  ])
}

const sitesAt = (url: string) => ({ kubernetes: url, etcd: url, envtestIndex: `${url}/index.yaml` })

test.runIf(process.platform === 'linux')('released programs with the published checksums are taken', async () => {
  await using scratch = await aScratch()
  await using server = await serve(await linuxPages(scratch))
  const search = { ...aSearch(scratch), sites: sitesAt(server.url) }

  const { etcd, apiServer, controllerManager = [''] } = await findBinaries(search)

  expect(await readFile(etcd[0], 'utf8')).toContain('# etcd')
  expect(await readFile(apiServer[0], 'utf8')).toBe('kube-apiserver')
  expect(await readFile(controllerManager[0], 'utf8')).toBe('kube-controller-manager')
  expect(await readdir(search.cacheDirectory)).toEqual([expect.stringMatching(/^v[\d.]+-linux-\w+$/)])
})

test.runIf(process.platform === 'linux')(
  'a released program with a wrong checksum is refused and not kept',
  async () => {
    await using scratch = await aScratch()
    const pages = await linuxPages(scratch)
    for (const path of pages.keys()) if (path.endsWith('/kube-apiserver')) pages.set(path, 'something else')
    await using server = await serve(pages)
    const search = { ...aSearch(scratch), sites: sitesAt(server.url) }

    await expect(findBinaries(search)).rejects.toThrow(
      /^cannot use http.*\/kube-apiserver: its sha512 checksum is not the published one, so nothing of it was kept; run/,
    )

    expect(await readdir(search.cacheDirectory)).toEqual([])
  },
)

test('where Kubernetes releases no server, the newest envtest archive of our minor version is taken', async () => {
  await using scratch = await aScratch()
  const module = await readGoModule()
  const minor = module.kubernetesVersion.split('.').slice(0, 2).join('.')
  const archive = await anArchive(scratch, ['etcd', 'kube-apiserver', 'kubectl'])
  const pages: Pages = new Map([['/archive', archive]])
  await using server = await serve(pages)
  const entry = (version: string, path: string) => ({
    [`envtest-${version}-darwin-arm64.tar.gz`]: { hash: hashOf('sha512', archive), selfLink: `${server.url}${path}` },
  })
  const releases = {
    [`${minor}.9`]: entry(`${minor}.9`, '/older'),
    [`${minor}.10`]: entry(`${minor}.10`, '/archive'),
    'v1.99.0': entry('v1.99.0', '/newer'),
  }
  pages.set('/index.yaml', JSON.stringify({ releases }))
  const platform = { os: 'darwin', arch: 'arm64' }
  const cache = openCache(scratch.directory, module, platform)
  const release = { module, platform, sites: sitesAt(server.url), controllerManager: false }

  expect(await downloadPrograms(release, cache, () => undefined)).toBe(true)

  expect((await readdir(cache.released)).sort()).toEqual(['etcd', 'kube-apiserver'])
})
