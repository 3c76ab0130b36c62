import type { Controller } from '../runtime/controller.ts'
import { ledgerClusterAgentController } from './ledgerclusteragent/controller.ts'

/** Every controller of the operator that runs in this namespace. */
export const allControllers = (operatorNamespace: string): readonly Controller[] => [
  ledgerClusterAgentController(operatorNamespace),
]
