import { join } from 'node:path'
import { downloadChecked, fetchText, UnreachableError } from './download.ts'
import { programNames } from './programs.ts'
import type { Release } from './release-sites.ts'
import { unpackNamed } from './unpack.ts'

/** The servers that Kubernetes and etcd release for Linux, each checked against the checksum published beside it. */
export const downloadLinux = async (release: Release, output: string, say: (line: string) => void): Promise<void> => {
  const { module, platform, sites, controllerManager } = release
  const { kubernetesVersion, etcdVersion } = module
  const servers = programNames(controllerManager)
    .filter((name) => name !== 'etcd')
    .map((name) => ({ name, url: `${sites.kubernetes}/${kubernetesVersion}/bin/linux/${platform.arch}/${name}` }))
  const archive = `etcd-${etcdVersion}-linux-${platform.arch}.tar.gz`

  const [etcdSums, ...serverSums] = await Promise.all([
    fetchText(`${sites.etcd}/${etcdVersion}/SHA256SUMS`),
    ...servers.map(({ url }) => fetchText(`${url}.sha512`)),
  ])
  const etcdSum = etcdSums
    .split('\n')
    .find((line) => line.endsWith(` ${archive}`))
    ?.split(' ')[0]
  if (etcdSum === undefined) throw new UnreachableError(`etcd ${etcdVersion} lists no ${archive}`)

  say(`downloading kube-apiserver ${kubernetesVersion} and etcd ${etcdVersion}, once`)
  const packed = join(output, archive)
  await Promise.all([
    downloadChecked(`${sites.etcd}/${etcdVersion}/${archive}`, packed, { algorithm: 'sha256', hex: etcdSum }),
    ...servers.map(({ name, url }, index) =>
      downloadChecked(url, join(output, name), { algorithm: 'sha512', hex: (serverSums[index] ?? '').trim() }),
    ),
  ])
  await unpackNamed(packed, ['etcd'], output)
}
