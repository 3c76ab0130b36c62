import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import type { Tree } from '../check/tree.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

interface LockedPackage extends Manifest {
  readonly resolved?: string
  readonly integrity?: string
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

const read = <T>({ root }: Tree, file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T

const wanted = (manifest: Manifest | undefined): readonly [string, string][] =>
  Object.entries({ ...manifest?.dependencies, ...manifest?.devDependencies })

export const lockfile: Gate = {
  name: 'lockfile',
  floor: (tree) => wanted(read<Manifest>(tree, 'package.json')).length,
  examine(tree) {
    const { packages } = read<Lock>(tree, 'package-lock.json')
    const installed = Object.entries(packages).filter(([path]) => path !== '')
    const faults = [
      ...installed.flatMap(([path, entry]) => faultsOf(path, entry)),
      ...outOfStep(wanted(read<Manifest>(tree, 'package.json')), wanted(packages[''])),
    ]
    return Promise.resolve({ examined: installed.length, unit: 'packages', faults })
  },
}

const faultsOf = (path: string, { resolved, integrity }: LockedPackage): readonly string[] => [
  // Whoever installs brings their own registry; what protects them is the digest.
  ...(resolved?.startsWith('http') ? [`${path} names a registry: ${resolved}`] : []),
  ...(integrity === undefined ? [`${path} has no integrity`] : []),
]

/** `npm ci` would say so, but it also refuses a lock without every platform's optional packages; see the Makefile. */
const outOfStep = (asked: readonly [string, string][], locked: readonly [string, string][]): readonly string[] => {
  const lockedVersions = new Map(locked)
  const askedNames = new Set(asked.map(([name]) => name))
  return [
    ...asked
      .filter(([name, version]) => lockedVersions.get(name) !== version)
      .map(
        ([name, version]) =>
          `${name} is ${version} in package.json, ${lockedVersions.get(name) ?? 'absent'} in the lock`,
      ),
    ...locked.filter(([name]) => !askedNames.has(name)).map(([name]) => `${name} is in the lock, not in package.json`),
  ]
}
