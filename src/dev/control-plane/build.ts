import { mkdir, readFile, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Cache } from './cache.ts'
import { fullDiskError } from './full-disk.ts'
import type { GoModule } from './go-module.ts'
import { keepPrograms } from './kept-programs.ts'
import { isExecutable } from './programs.ts'

interface BuildOptions {
  readonly module: GoModule
  readonly cache: Cache
  /** Directories to look for `go` in. */
  readonly path: string
  /** File that receives everything `go` prints. */
  readonly log: string
  readonly say: (line: string) => void
}

const sayEvery = 15_000

const findGo = async (path: string): Promise<string | undefined> => {
  for (const directory of path.split(delimiter)) {
    const file = join(directory, 'go')
    if (directory !== '' && (await isExecutable(file))) return file
  }
  return undefined
}

const buildCommand = (go: string, output: string, version: string): readonly string[] => {
  const [major = '', minor = ''] = version.slice(1).split('.')
  // Without these the server calls itself v0.0.0-master and clients that compare versions refuse it.
  const stamps = Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor })
  const linkerFlags = [
    '-s',
    '-w',
    ...stamps.map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ]
  return [go, 'build', '-mod=readonly', '-trimpath', '-ldflags', linkerFlags.join(' '), '-o', output, '.']
}

const failure = async (how: string, log: string): Promise<Error> => {
  const said = await readFile(log, 'utf8').catch(() => '')
  if (said.includes('no space left on device')) return fullDiskError()
  if (/no such host|connection refused|i\/o timeout|network is unreachable/.test(said))
    return new Error(
      'cannot build the control plane: go could not download its modules; connect to a network or set GOPROXY to a ' +
        `mirror you can reach, or set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver (log: ${log})`,
    )
  return new Error(`cannot build the control plane: go ended ${how}; what it said is in ${log}`)
}

/** Builds the module into the cache. Killed half-way, it takes the compiler and everything half-made with it. */
export const buildPrograms = async ({ module, cache, path, log, say }: BuildOptions): Promise<void> => {
  const go = await findGo(path)
  if (go === undefined)
    throw new Error(
      'cannot get a control plane: no released programs can be downloaded and there is no Go to build them with; ' +
        'install Go from https://go.dev/dl or set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver',
    )
  const began = performance.now()
  const progress = (): void => {
    const seconds = Math.round((performance.now() - began) / 1000)
    const what = `kube-apiserver, kube-controller-manager and etcd ${module.kubernetesVersion}`
    say(`building ${what} from source, once (5 to 10 minutes on two cores): ${seconds} s`)
  }
  const output = join(cache.part, 'output')
  const temporary = join(cache.part, 'go')
  const kept = keepPrograms(cache.part)
  progress()
  const saying = setInterval(progress, sayEvery)
  try {
    await mkdir(output, { recursive: true })
    await mkdir(temporary)
    await rm(log, { force: true })
    kept.run({
      name: 'go',
      command: [
        'env',
        'CGO_ENABLED=0',
        `GOTMPDIR=${temporary}`,
        ...buildCommand(go, join(output, 'control-plane'), module.kubernetesVersion),
      ],
      log,
      cwd: module.directory,
    })
    const end = await kept.firstEnd
    if (end.code !== 0) throw await failure(end.how, log)
    await cache.put(output, cache.built)
  } finally {
    clearInterval(saying)
    await kept.stop()
  }
}
