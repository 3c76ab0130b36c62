import type { TestProject } from 'vitest/node'
import { buildBundle } from '../tools/bundle.ts'

/** One bundle for all test files that measure what users run. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const bundle = await buildBundle()
  project.provide('bundle', bundle.program)
  return async () => bundle[Symbol.asyncDispose]()
}
