import { usualLedgerImage } from '../pure/names.ts'
import type { Controller } from '../runtime/controller.ts'
import { type AgentSettings, ledgerClusterAgentController } from './ledgerclusteragent/controller.ts'
import { ledgerServiceController } from './ledgerservice/controller.ts'
import type { ServiceSettings } from './ledgerservice/defaults.ts'

const usual = { adoptsLabelled: false, image: usualLedgerImage }

export type Settings = AgentSettings & ServiceSettings

/** Every controller of the operator that runs in this namespace. */
export const allControllers = (operatorNamespace: string, settings: Settings = usual): readonly Controller[] => [
  ledgerClusterAgentController(operatorNamespace, settings),
  ledgerServiceController(operatorNamespace, settings),
]
