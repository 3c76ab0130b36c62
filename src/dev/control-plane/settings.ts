import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Settings {
  /** Directory with etcd and kube-apiserver, when a person named one. */
  readonly assets: string | undefined
  /** Where programs are kept between runs. */
  readonly cacheDirectory: string
  /** Directories to look for `go` in. */
  readonly path: string
}

/** The only place in this folder that reads the environment. */
export const readSettings = (): Settings => {
  const { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: cache, PATH: path } = process.env
  return {
    assets: assets === '' ? undefined : assets,
    cacheDirectory: join(cache || join(homedir(), '.cache'), 'holdfast', 'control-plane'),
    path: path ?? '',
  }
}
