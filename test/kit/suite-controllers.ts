import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import { ledgerServiceController } from '../../src/controllers/ledgerservice/controller.ts'
import { usualLedgerImage } from '../../src/pure/names.ts'
import type { Controller } from '../../src/runtime/controller.ts'

export interface ControllerOptions {
  /** Makes the controller that is tested; a bug can be planted here. */
  readonly controller?: (operatorNamespace: string) => Controller
  /** Whether services are looked after too; the default is agents alone. */
  readonly withServices?: boolean
}

/** What a test's operator runs. */
export const controllersOf = (
  operatorNamespace: string,
  { controller = ledgerClusterAgentController, withServices = false }: ControllerOptions,
): readonly Controller[] => [
  controller(operatorNamespace),
  ...(withServices ? [ledgerServiceController(operatorNamespace, { image: usualLedgerImage })] : []),
]
