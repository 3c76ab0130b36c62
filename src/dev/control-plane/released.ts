import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cache } from './cache.ts'
import { UnreachableError } from './download.ts'
import type { Release } from './release-sites.ts'
import { downloadEnvtest } from './released-envtest.ts'
import { downloadLinux } from './released-linux.ts'

/**
 * Puts released programs into the cache, or answers false where the network does not have them. A file that is not
 * what its publisher says it is fails the start: building instead would hide it.
 */
export const downloadPrograms = async (
  release: Release,
  cache: Cache,
  say: (line: string) => void,
): Promise<boolean> => {
  const isLinux = release.platform.os === 'linux'
  // envtest archives hold no controller manager.
  if (!isLinux && release.controllerManager) return false
  const output = join(cache.part, 'output')
  try {
    await mkdir(output, { recursive: true })
    await (isLinux ? downloadLinux(release, output, say) : downloadEnvtest(release, output, say))
    await cache.put(output, cache.released)
    return true
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    say(`no released programs to be had here: ${error.message}`)
    return false
  } finally {
    await rm(cache.part, { recursive: true, force: true })
  }
}
