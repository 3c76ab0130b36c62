import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { type Tree, typescriptFiles } from '../check/tree.ts'

/** Digests and module paths, made by tools; the lock has a gate of its own. */
const exempt = new Set(['package-lock.json', 'go.sum'])

/** In halves, so that this file may stand in the repository it guards. */
const registryHosts = [
  ['registry', 'npmjs'],
  ['registry', 'yarnpkg'],
  ['proxy', 'golang'],
  ['sum', 'golang'],
  ['deb', 'debian'],
].map((halves) => halves.join('.'))

const homes = ['root', 'home/[\\w.-]+', 'Users/[\\w.-]+'].map((home) => `(?<![\\w.}-])/${home}/`)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The checkout and what lies beside it. */
const workplaces = (root: string): readonly string[] => {
  const parent = dirname(root)
  if (parent === '/') return []
  return readdirSync(parent).map((name) => `(?<![\\w.-])${escaped(join(parent, name))}(?![\\w-])`)
}

export const words: Gate = {
  name: 'words',
  floor: (tree) => typescriptFiles(tree).length,
  examine(tree) {
    const pattern = new RegExp([...registryHosts.map(escaped), ...homes, ...workplaces(tree.root)].join('|'))
    const files = tree.files.filter((file) => !exempt.has(basename(file)))
    const faults = files.flatMap((file) => leaks(tree, file, pattern))
    return Promise.resolve({ examined: files.length, unit: 'files', faults })
  },
}

const leaks = ({ root }: Tree, file: string, pattern: RegExp): readonly string[] => {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.includes('\0')) return []
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)
    return found === null ? [] : [`${file}:${index + 1} names a place that only some machines have: ${found[0]}`]
  })
}
