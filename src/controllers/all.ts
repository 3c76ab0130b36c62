import type { Controller } from '../runtime/controller.ts'
import { type AgentSettings, ledgerClusterAgentController } from './ledgerclusteragent/controller.ts'

/** Every controller of the operator that runs in this namespace. */
export const allControllers = (operatorNamespace: string, settings?: AgentSettings): readonly Controller[] => [
  ledgerClusterAgentController(operatorNamespace, settings),
]
