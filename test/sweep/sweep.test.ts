import { test } from 'vitest'
import { scenarios } from './scenarios.ts'
import { sweeper } from './swept.ts'

test.each(scenarios)('whatever goes wrong at any request: $name', { timeout: 1_200_000 }, sweeper())
