import type { Platform } from './cache.ts'
import type { GoModule } from './go-module.ts'

export interface ReleaseSites {
  /** Holds `<version>/bin/linux/<arch>/kube-apiserver` and its kind. */
  readonly kubernetes: string
  /** Holds `<version>/etcd-<version>-linux-<arch>.tar.gz`. */
  readonly etcd: string
  /** The list of envtest archives, for systems that Kubernetes releases no server for. */
  readonly envtestIndex: string
}

export const releaseSites: ReleaseSites = {
  kubernetes: 'https://dl.k8s.io',
  etcd: 'https://github.com/etcd-io/etcd/releases/download',
  envtestIndex: 'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml',
}

/** Which release, for which machine, from where. */
export interface Release {
  readonly module: GoModule
  readonly platform: Platform
  readonly sites: ReleaseSites
  readonly controllerManager: boolean
}
