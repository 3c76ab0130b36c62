import { join } from 'node:path'
import { parse } from 'yaml'
import { downloadChecked, fetchText, UnreachableError } from './download.ts'
import { programNames } from './programs.ts'
import type { Release } from './release-sites.ts'
import { getOwn } from '../../pure/own.ts'
import { unpackNamed } from './unpack.ts'

interface Archive {
  readonly hash: string
  readonly selfLink: string
}

interface Index {
  readonly releases?: Readonly<Record<string, Readonly<Record<string, Archive>>>>
}

const patchOf = (version: string): number => Number(version.split('.')[2])

/** etcd and kube-apiserver as envtest packs them, of our minor version: not every patch release is packed. */
export const downloadEnvtest = async (release: Release, output: string, say: (line: string) => void): Promise<void> => {
  const { module, platform, sites } = release
  const { releases = {} } = parse(await fetchText(sites.envtestIndex)) as Index
  const minor = module.kubernetesVersion.split('.').slice(0, 2).join('.')
  const version = Object.keys(releases)
    .filter((candidate) => new RegExp(`^${minor}\\.\\d+$`).test(candidate))
    .sort((a, b) => patchOf(b) - patchOf(a))[0]
  const name = `envtest-${version}-${platform.os}-${platform.arch}.tar.gz`
  const archive = version === undefined ? undefined : getOwn(getOwn(releases, version), name)
  if (archive === undefined)
    throw new UnreachableError(`envtest has no ${minor} for ${platform.os} on ${platform.arch}`)

  say(`downloading kube-apiserver and etcd ${version}, once`)
  const packed = join(output, name)
  await downloadChecked(archive.selfLink, packed, { algorithm: 'sha512', hex: archive.hash })
  await unpackNamed(packed, programNames(false), output)
}
