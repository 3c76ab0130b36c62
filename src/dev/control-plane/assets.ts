import { join } from 'node:path'
import { isExecutable, type Programs, programNames, separatePrograms } from './programs.ts'

/** The programs of a directory that a person named, who then means these and no others. */
export const programsFromAssets = async (directory: string, controllerManager: boolean): Promise<Programs> => {
  const names = programNames(controllerManager)
  const present = await Promise.all(names.map((name) => isExecutable(join(directory, name))))
  const missing = names.filter((_, index) => !present[index])
  if (missing.length === 0) return separatePrograms(directory, controllerManager)
  throw new Error(
    `KUBEBUILDER_ASSETS is ${directory}, which has no executable ${missing.join(' and no ')}: ` +
      'add what is missing, or unset KUBEBUILDER_ASSETS to have the programs fetched or built',
  )
}
