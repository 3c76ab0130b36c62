import { kinds } from '../api/kinds.ts'
import type { Right } from '../pure/rights.ts'
import type { Controller } from '../runtime/controller.ts'
import { runtimeRights } from '../runtime/rights.ts'
import { ledgerClusterAgentController } from './ledgerclusteragent/controller.ts'

/** Every controller of the operator that runs in this namespace. */
export const allControllers = (operatorNamespace: string): readonly Controller[] => [
  ledgerClusterAgentController(operatorNamespace),
]

/** All that an operator with these controllers may do to the cluster. */
export const operatorRights = (controllers: readonly Controller[]): readonly Right[] => [
  ...controllers.flatMap(({ rights }) => rights),
  ...runtimeRights(controllers, kinds),
]
