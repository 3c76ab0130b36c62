import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Takes the named files out of an archive, whatever folder they sit in, puts them into `output`, removes the rest. */
export const unpackNamed = async (archive: string, names: readonly string[], output: string): Promise<void> => {
  const whole = `${archive}.unpacked`
  await mkdir(whole)
  await promisify(execFile)('tar', ['-xf', archive, '-C', whole])
  const entries = await readdir(whole, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isFile() && names.includes(entry.name))
      await rename(join(entry.parentPath, entry.name), join(output, entry.name))
  await rm(whole, { recursive: true })
  await rm(archive)
}
