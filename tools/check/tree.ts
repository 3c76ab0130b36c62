import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** The repository as the runner itself sees it: the measure for what each tool claims to have examined. */
export interface Tree {
  readonly root: string
  /** Every file that git does not ignore, relative to the root, with forward slashes. */
  readonly files: readonly string[]
}

export const readTree = (directory: string): Tree => {
  const root = realpathSync(directory)
  const skipped = new Set(['.git', 'node_modules', ...ignoredFolders(root)])
  return { root, files: filesUnder(root, '', skipped).sort() }
}

export const typescriptFiles = (tree: Tree, ...folders: readonly string[]): readonly string[] => {
  const sources = tree.files.filter((file) => file.endsWith('.ts'))
  return folders.length === 0
    ? sources
    : sources.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
}

export const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** Asking git would make the check depend on a clone; our .gitignore holds whole folders, one per line. */
const ignoredFolders = (root: string): readonly string[] => {
  const path = join(root, '.gitignore')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1).replace(/^\//, ''))
}

const filesUnder = (root: string, folder: string, skipped: ReadonlySet<string>): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (skipped.has(entry.name) || skipped.has(path)) return []
    if (entry.isDirectory()) return filesUnder(root, path, skipped)
    return entry.isFile() ? [path] : []
  })
