import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, startChild } from './child.ts'

export interface PodServer extends AsyncDisposable {
  readonly kubeconfig: string
}

/** A process that serves so many objects of each kind, and sends so many changes to whoever watches them. */
export const startPodServer = async (
  { objects, events = 0 }: { readonly objects: number; readonly events?: number },
  signal: AbortSignal,
): Promise<PodServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
  const kubeconfig = join(directory, 'kubeconfig')
  const program = new URL('./children/pod-server.ts', import.meta.url)
  const child = startChild(program, { args: { objects, events, kubeconfig }, signal })
  await messageOf(child)
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
