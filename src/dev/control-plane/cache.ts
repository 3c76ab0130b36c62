import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GoModule } from './go-module.ts'
import { combinedPrograms, isExecutable, type Programs, programNames, separatePrograms } from './programs.ts'

export interface Platform {
  readonly os: string
  readonly arch: string
}

/** This machine, in the words that Go and Kubernetes' releases use. */
export const thisPlatform = (): Platform => ({
  os: process.platform,
  arch: process.arch === 'x64' ? 'amd64' : process.arch,
})

const partPrefix = 'part-'

/** Programs kept between runs. An entry appears whole, by a rename, or not at all. */
export const openCache = (root: string, module: GoModule, { os, arch }: Platform) => {
  const released = join(root, `${module.kubernetesVersion}-${os}-${arch}`)
  const built = `${released}-${module.hash}`
  const combined = join(built, 'control-plane')
  return {
    released,
    built,
    find: async (controllerManager: boolean): Promise<Programs | undefined> => {
      if (await isExecutable(combined)) return combinedPrograms(combined, controllerManager)
      const names = programNames(controllerManager)
      const present = await Promise.all(names.map((name) => isExecutable(join(released, name))))
      return present.every(Boolean) ? separatePrograms(released, controllerManager) : undefined
    },
    /** Where an entry is made before it is put in place. */
    part: join(root, `${partPrefix}${process.pid}`),
    /** What runs that were cut short left behind. Only for whoever holds the lock. */
    removeLeftovers: async (): Promise<void> => {
      for (const name of await readdir(root))
        if (name.startsWith(partPrefix)) await rm(join(root, name), { recursive: true, force: true })
    },
    put: async (from: string, entry: string): Promise<void> => {
      await rm(entry, { recursive: true, force: true })
      await rename(from, entry)
    },
  }
}

export type Cache = ReturnType<typeof openCache>
