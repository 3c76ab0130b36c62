import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { PortTakenError } from './start-failure.ts'
import { startPrograms } from './start-programs.ts'
import { readSettings } from './settings.ts'

export interface ControlPlane extends AsyncDisposable {
  /** https://127.0.0.1:PORT */
  readonly url: string
  /** Path of an administrator's kubeconfig that needs no other file. */
  readonly kubeconfig: string
  /** Everything it writes lives below; removed on stop. */
  readonly directory: string
  /** Kubernetes version, e.g. v1.36.3 */
  readonly version: string
  stop(): Promise<void>
}

/**
 * A real etcd and API server on loopback, with the controllers of Kubernetes when asked for. They end with this
 * process, however it ends.
 */
export const startControlPlane = async (options: {
  readonly controllerManager: boolean
  /** Progress for people, one line each. */
  readonly say?: (line: string) => void
}): Promise<ControlPlane> => {
  const { controllerManager, say = () => undefined } = options
  const settings = readSettings()
  const programs = await findBinaries({ ...settings, controllerManager, say })
  const attempt = async (): Promise<ControlPlane> => {
    const directory = join(tmpdir(), `holdfast-control-plane-${randomBytes(6).toString('hex')}`)
    const started = await startPrograms({ programs, directory, failureDirectory: settings.cacheDirectory, say })
    return { ...started, directory, [Symbol.asyncDispose]: started.stop }
  }
  return attempt().catch((error: unknown) => {
    if (error instanceof PortTakenError) return attempt()
    throw error
  })
}
