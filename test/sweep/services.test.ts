import { serviceScenarios } from './service-scenarios.ts'
import { testSwept } from './swept.ts'

testSwept(serviceScenarios)
