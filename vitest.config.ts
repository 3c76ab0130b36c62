import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { OutsideTests } from './tools/outside-tests.ts'
import { testReport } from './tools/report-files.ts'

const attacks = 'test/attack/**/*.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [attacks],
          globalSetup: ['test/control-plane-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Afterwards and one by one: they measure how fast an operator answers.
        extends: true,
        test: {
          name: 'attack',
          include: [attacks],
          globalSetup: ['test/bundle-setup.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
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
