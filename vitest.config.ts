import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { OutsideTests } from './tools/outside-tests.ts'
import { testReport } from './tools/report-files.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/control-plane-setup.ts'],
    testTimeout: 60_000,
    // The first hook of a new machine may have to build the control plane.
    hookTimeout: 1_200_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json', new OutsideTests()],
    outputFile: { json: testReport },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['json'],
      reportOnFailure: true,
    },
  },
})
