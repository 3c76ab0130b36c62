import { scenarios } from './scenarios.ts'
import { testSwept } from './swept.ts'

testSwept(scenarios)
