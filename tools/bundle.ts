import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The bundle in a directory of its own: a build into `dist` would replace a program that may be running from there. */
export interface Bundle extends AsyncDisposable {
  readonly directory: string
  readonly program: string
}

export const buildBundle = async (signal?: AbortSignal): Promise<Bundle> => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-bundle-'))
  const build = join(import.meta.dirname, 'build.ts')
  await promisify(execFile)(process.execPath, [build, '--out', directory], { signal })
  return {
    directory,
    program: join(directory, 'holdfast.js'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
