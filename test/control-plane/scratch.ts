import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch extends AsyncDisposable {
  readonly directory: string
  /** Writes a file and returns its path. */
  readonly write: (name: string, content: string) => Promise<string>
  /** Writes an executable shell script and returns its path. */
  script(name: string, ...lines: readonly string[]): Promise<string>
}

/** A directory of a test's own, removed at its end. */
export const aScratch = async (): Promise<Scratch> => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'))
  const write = async (name: string, content: string) => {
    const file = join(directory, name)
    await writeFile(file, content)
    return file
  }
  return {
    directory,
    write,
    script: async (name, ...lines) => {
      const file = await write(name, ['#!/bin/sh', ...lines, ''].join('\n'))
      await chmod(file, 0o755)
      return file
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
