import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Vitest begins with the largest files. The sweeps are the smallest and take longest: at the end one worker would be left
 * with the last of them while the other has nothing to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSweep = ({ moduleId }: TestSpecification) => moduleId.includes('/test/sweep/')
    return [...sorted.filter(isSweep), ...sorted.filter((file) => !isSweep(file))]
  }
}
