import { test } from 'vitest'
import { serviceScenarios } from './service-scenarios.ts'
import { sweeper } from './swept.ts'

test.each(serviceScenarios)('whatever goes wrong at any request: $name', { timeout: 1_200_000 }, sweeper())
