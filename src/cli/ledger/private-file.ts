import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SecretText } from '../../pure/secret-text.ts'
import { CommandFailure } from '../command-failure.ts'

/**
 * Writes a file that others must not lead astray: it is made anew beside the one that it replaces, so that neither a
 * link nor somebody who has the old one open gets its content, and it is there in full or not at all.
 */
export const writeFileAnew = async (file: string, content: string | SecretText, mode: number): Promise<void> => {
  await assertReplaceable(file)
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(8).toString('hex')}`)
  try {
    await writeNew(draft, typeof content === 'string' ? content : content.reveal(), mode)
    await rename(draft, file)
  } catch (cause) {
    await rm(draft, { force: true })
    throw unwritable(file, cause)
  }
}

/** Makes the directory, for its owner alone, unless it is there. */
export const makePrivateDirectory = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unwritable(directory, cause)
  }
}

const assertReplaceable = async (file: string): Promise<void> => {
  const there = await lstat(file).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw unwritable(file, cause)
  })
  if (there === undefined || there.isFile()) return
  const what = there.isSymbolicLink() ? 'a symbolic link' : 'no regular file'
  throw new CommandFailure('error', `cannot write ${file}: it is ${what}; name a file, or - for stdout`)
}

const writeNew = async (file: string, content: string, mode: number): Promise<void> => {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await handle.writeFile(content)
    // Whatever the umask says.
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown trouble'

const unwritable = (file: string, cause: unknown): CommandFailure =>
  new CommandFailure('error', `cannot write ${file}: ${codeOf(cause)}`, cause)
