import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface GoModule {
  readonly directory: string
  readonly kubernetesVersion: string
  readonly etcdVersion: string
  /** Changes with any of the module's files, so that a changed module is built anew. */
  readonly hash: string
}

const directory = fileURLToPath(new URL('./binary', import.meta.url))

/** The module in `binary/`, whose go.mod is the one place that says which versions of Kubernetes and etcd we run. */
export const readGoModule = async (): Promise<GoModule> => {
  const contents = await Promise.all(
    ['go.mod', 'go.sum', 'main.go'].map((file) => readFile(join(directory, file), 'utf8')),
  )
  const versionOf = (path: string): string => {
    const version = contents[0]?.match(new RegExp(`^\\s+${path} (v[^ \\n]+)`, 'm'))?.[1]
    if (version === undefined) throw new Error(`${directory}/go.mod requires no ${path}`)
    return version
  }
  return {
    directory,
    kubernetesVersion: versionOf('k8s.io/kubernetes'),
    etcdVersion: versionOf('go.etcd.io/etcd/server/v3'),
    hash: createHash('sha256').update(contents.join('\0')).digest('hex').slice(0, 10),
  }
}
