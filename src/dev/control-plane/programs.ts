import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

/** A file, and the first arguments that choose a program within it. */
type Command = readonly [string, ...string[]]

export interface Programs {
  readonly etcd: Command
  readonly apiServer: Command
  readonly controllerManager?: Command
}

export const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The names of the files that a start needs. */
export const programNames = (controllerManager: boolean): readonly string[] => [
  'etcd',
  'kube-apiserver',
  ...(controllerManager ? ['kube-controller-manager'] : []),
]

/** The programs as separate files, the way they are released. */
export const separatePrograms = (directory: string, controllerManager: boolean): Programs => ({
  etcd: [join(directory, 'etcd')],
  apiServer: [join(directory, 'kube-apiserver')],
  ...(controllerManager && { controllerManager: [join(directory, 'kube-controller-manager')] as const }),
})

/** The programs in one file, the way `binary/main.go` builds them. */
export const combinedPrograms = (file: string, controllerManager: boolean): Programs => ({
  etcd: [file, 'etcd'],
  apiServer: [file, 'kube-apiserver'],
  ...(controllerManager && { controllerManager: [file, 'kube-controller-manager'] as const }),
})
