import { mkdir } from 'node:fs/promises'
import { getAsAdmin } from './admin-request.ts'
import { apiServerFlags, controllerManagerFlags, etcdFlags, filesIn, type Ports } from './command-lines.ts'
import { writeCredentials } from './credentials.ts'
import { freePorts } from './free-ports.ts'
import { keepPrograms } from './kept-programs.ts'
import type { Programs } from './programs.ts'
import { waitWhileKept } from './readiness.ts'

interface StartOptions {
  readonly programs: Programs
  /** Made by the start, removed by `stop`. */
  readonly directory: string
  /** Where the log of a program that failed is kept for reading. */
  readonly failureDirectory: string
  readonly say: (line: string) => void
}

interface StartedPrograms {
  readonly url: string
  readonly kubeconfig: string
  readonly version: string
  readonly stop: () => Promise<void>
}

const choosePorts = async (): Promise<Ports> => {
  const [etcd = 0, etcdPeer = 0, apiServer = 0] = await freePorts(3)
  return { etcd, etcdPeer, apiServer }
}

/** Starts the programs and returns when they answer; a failed start leaves no process and no file but its log. */
export const startPrograms = async (options: StartOptions): Promise<StartedPrograms> => {
  const { programs, directory, failureDirectory, say } = options
  const files = filesIn(directory)
  // Before the directory is made, so that there is no moment at which being killed would leave it behind.
  const kept = keepPrograms(directory)
  let isStopping = false

  const run = (name: string, command: readonly [string, ...string[]], flags: readonly string[]): void =>
    kept.run({ name, command: [...command, ...flags], log: files.log(name) })

  const waitFor = waitWhileKept({ kept, logOf: files.log, failureDirectory })

  const stop = async (): Promise<void> => {
    isStopping = true
    await kept.stop()
  }

  try {
    await mkdir(directory, { mode: 0o700 })
    const ports = await choosePorts()
    const url = `https://127.0.0.1:${ports.apiServer}`
    run('etcd', programs.etcd, etcdFlags(files, ports))
    const access = await writeCredentials(files, url)
    const controllerManager = programs.controllerManager
    run('kube-apiserver', programs.apiServer, apiServerFlags(files, ports, controllerManager !== undefined))
    const bodyOf = async (path: string): Promise<string | undefined> => {
      const answer = await getAsAdmin(access, path)
      return answer?.status === 200 ? answer.body : undefined
    }
    await waitFor('kube-apiserver', () => bodyOf('/readyz'))
    const version = await waitFor('kube-apiserver', () => bodyOf('/version'))
    if (controllerManager) {
      run('kube-controller-manager', controllerManager, controllerManagerFlags(files))
      // The first thing it makes that a pod cannot do without.
      await waitFor('kube-controller-manager', () => bodyOf('/api/v1/namespaces/default/serviceaccounts/default'))
    }
    const { gitVersion } = JSON.parse(version) as { readonly gitVersion: string }
    void kept.firstEnd.then(({ ended, how }) => {
      if (!isStopping) say(`${ended} ended ${how}: the control plane no longer works`)
    })
    return { url, kubeconfig: files.kubeconfig, version: gitVersion, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
