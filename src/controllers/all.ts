import { usualLedgerImage } from '../pure/names.ts'
import type { Controller } from '../runtime/controller.ts'
import { type AgentSettings, ledgerClusterAgentController } from './ledgerclusteragent/controller.ts'
import { ledgerServiceController } from './ledgerservice/controller.ts'
import type { ServiceSettings } from './ledgerservice/defaults.ts'

const usual = { adoptsLabelled: false, image: usualLedgerImage, without: [] }

export interface Settings extends AgentSettings, ServiceSettings {
  /** The kinds that are left to somebody else, by their plural. */
  readonly without: readonly string[]
}

/** Every controller of the operator that runs in this namespace. */
export const allControllers = (operatorNamespace: string, settings: Partial<Settings> = {}): readonly Controller[] => {
  const { without, ...rest } = { ...usual, ...settings }
  const controllers = [
    ledgerClusterAgentController(operatorNamespace, rest),
    ledgerServiceController(operatorNamespace, rest),
  ]
  return controllers.filter(({ reconciles }) => !without.includes(reconciles.plural))
}
