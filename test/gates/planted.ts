import { expect, test } from 'vitest'
import { aProject, type Plant } from './project.ts'

export interface PlantedFault {
  readonly gate: string
  readonly fault: string
  readonly plant: Plant | ((root: string) => Plant)
  /** What the gate must say: red for another reason would prove nothing. */
  readonly says: readonly string[]
}

export const testPlantedFaults = (faults: readonly PlantedFault[]): void => {
  test.each(faults)('gate $gate is red on $fault', async ({ gate, plant, says }) => {
    using project = aProject(plant)

    const { green, output } = await project.run('tools/check.ts', '--only', gate)

    for (const words of says) expect(output).toContain(words)
    expect(green).toBe(false)
  })
}
