import { test } from 'vitest'
import { rotationScenarios } from './rotation-scenarios.ts'
import { sweeper } from './swept.ts'

test.each(rotationScenarios)('whatever goes wrong at any request: $name', { timeout: 1_200_000 }, sweeper())
