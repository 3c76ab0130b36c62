import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from './error-code.ts'

const lookEvery = 100
const touchEvery = 5_000
/** A holder that has not touched its lock for so long is gone, even if another process now has its number. */
const abandonedAfter = 60_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

const take = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Who holds the lock, or nothing when it was let go of or its holder is gone. */
const holderOf = async (file: string): Promise<number | undefined> => {
  try {
    const { mtimeMs } = await stat(file)
    const pid = Number(await readFile(file, 'utf8'))
    if (Date.now() - mtimeMs > abandonedAfter) return undefined
    // Nothing in it yet: the holder is between making the file and writing its number.
    return pid === 0 || isAlive(pid) ? pid : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const removeAbandoned = async (file: string): Promise<void> => {
  // Moved aside before it is removed: of two that see the same abandoned lock, one finds nothing left to move.
  const aside = `${file}.${process.pid}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await rm(aside, { force: true })
}

/** Runs `action` while no other process on this machine runs one under the same lock file. */
export const withLock = async <T>(
  file: string,
  onWait: (holder: number) => void,
  action: () => Promise<T>,
): Promise<T> => {
  let hasWaited = false
  while (!(await take(file))) {
    const holder = await holderOf(file)
    if (holder === undefined) {
      await removeAbandoned(file)
      continue
    }
    if (!hasWaited) onWait(holder)
    hasWaited = true
    await delay(lookEvery)
  }
  const touching = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), touchEvery)
  try {
    return await action()
  } finally {
    clearInterval(touching)
    await rm(file, { force: true })
  }
}
