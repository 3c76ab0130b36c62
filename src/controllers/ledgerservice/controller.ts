import { LedgerService, type ServicePhase } from '../../api/ledgerservice.ts'
import { SecretMemo } from '../../kube/secret-memo.ts'
import { digestKeySecret } from '../../pure/agent-key.ts'
import { serviceNames } from '../../pure/names.ts'
import { SecretText } from '../../pure/secret-text.ts'
import type { Controller } from '../../runtime/controller.ts'
import { decide } from './decide.ts'
import type { ServiceSettings } from './defaults.ts'
import { observe } from './observe.ts'
import type { Observed } from './observed.ts'
import { rights } from './rights.ts'
import { Settling } from './settling.ts'
import { watchesWith } from './watches.ts'

/** Keeps the workload of each LedgerService, and the list of the keys that it accepts. */
export const ledgerServiceController = (operatorNamespace: string, settings: ServiceSettings): Controller<Observed> => {
  const memo = new SecretMemo(digestKeySecret)
  const settling = new Settling()
  return {
    name: serviceNames.manager,
    reconciles: LedgerService,
    watches: watchesWith(memo, operatorNamespace),
    // The API server is no faster with more writes at once.
    concurrency: 32,
    recipes: {
      'cluster-secret': {
        bytes: 32,
        make: (bytes) => ({
          data: { 'cluster-secret': new SecretText(Buffer.from(bytes).toString('hex')) },
          annotations: {},
        }),
      },
    },
    fieldsWhenFailed: { phase: 'Error' satisfies ServicePhase },
    rights,
    observe: (name, reads) => observe(name, { reads, memo, settling, operatorNamespace, settings }),
    decide,
  }
}
