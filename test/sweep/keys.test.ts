import { keyScenarios } from './key-scenarios.ts'
import { testSwept } from './swept.ts'

testSwept(keyScenarios)
