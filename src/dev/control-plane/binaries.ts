import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { programsFromAssets } from './assets.ts'
import { buildPrograms } from './build.ts'
import { openCache, thisPlatform } from './cache.ts'
import { hasCode } from './error-code.ts'
import { fullDiskError } from './full-disk.ts'
import { readGoModule } from './go-module.ts'
import { withLock } from './lock.ts'
import type { Programs } from './programs.ts'
import { type ReleaseSites, releaseSites } from './release-sites.ts'
import { downloadPrograms } from './released.ts'
import type { Settings } from './settings.ts'

interface Wanted extends Settings {
  readonly controllerManager: boolean
  readonly say: (line: string) => void
  /** Where releases are published; a test points them at a server of its own. */
  readonly sites?: ReleaseSites
}

/** The programs of a control plane, from the first place that has them: a named directory, the cache, a release, source. */
export const findBinaries = async (wanted: Wanted): Promise<Programs> => {
  const { assets, cacheDirectory, path, controllerManager, say, sites = releaseSites } = wanted
  if (assets !== undefined) return programsFromAssets(assets, controllerManager)

  const module = await readGoModule()
  const platform = thisPlatform()
  const cache = openCache(cacheDirectory, module, platform)
  const cached = await cache.find(controllerManager)
  if (cached) return cached

  await mkdir(cacheDirectory, { recursive: true })
  const lock = join(cacheDirectory, 'lock')
  const onWait = (holder: number): void =>
    say(`waiting for process ${holder}, which is getting the control plane's programs (lock: ${lock})`)
  return withLock(lock, onWait, async () => {
    // Whoever held the lock before may have just made them.
    const made = await cache.find(controllerManager)
    if (made) return made
    await cache.removeLeftovers()
    const isDownloaded = await downloadPrograms({ module, platform, sites, controllerManager }, cache, say)
    if (!isDownloaded) await buildPrograms({ module, cache, path, log: join(cacheDirectory, 'build.log'), say })
    const programs = await cache.find(controllerManager)
    if (programs) return programs
    throw new Error(`cannot get a control plane: the programs just put into ${cacheDirectory} cannot be run from there`)
  }).catch((error: unknown) => {
    throw hasCode(error, 'ENOSPC') ? fullDiskError(error) : error
  })
}
