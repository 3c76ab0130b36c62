import { test } from 'vitest'
import { keyScenarios } from './key-scenarios.ts'
import { sweeper } from './swept.ts'

test.each(keyScenarios)('whatever goes wrong at any request: $name', { timeout: 1_200_000 }, sweeper())
