import { crdOf } from '../../api/crd.ts'
import { kinds } from '../../api/kinds.ts'
import { allControllers } from '../../controllers/all.ts'
import { rightsOf } from '../../runtime/rights.ts'
import { rbacOf, serviceAccountName } from '../../pure/rbac.ts'
import type { Scope } from '../../pure/scope.ts'
import { renderDeployment, renderDisruptionBudget } from './deployment.ts'
import { renderKeyPolicy } from './key-policy.ts'
import type { LedgerImage } from './ledger-image.ts'
import { renderNamespace } from './namespace.ts'

export interface Installation {
  readonly scope: Scope
  /** The kinds that are left to somebody else, by their plural. */
  readonly without: readonly string[]
  readonly image: string
  /** What ledgers run whose service names no image; undefined when the operator shall decide. */
  readonly ledgerImage: LedgerImage | undefined
}

/** An object that is installed. */
export interface Installed {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** Everything that an operator needs in a cluster, in an order in which it can be applied. */
export const renderInstallation = (installation: Installation): readonly Installed[] => {
  const { scope, without } = installation
  return [
    renderNamespace(scope.own),
    ...kinds.map(crdOf),
    renderServiceAccount(scope.own),
    ...rbacOf(rightsOf(allControllers(scope.own, { without })), scope),
    // Before the operator, so that there is no moment in which a key is not guarded.
    ...renderKeyPolicy(scope.own),
    renderDeployment(installation),
    renderDisruptionBudget(scope.own),
  ]
}

const renderServiceAccount = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: serviceAccountName, namespace },
  // A pod that runs as it by mistake gets no token; the operator's asks for one.
  automountServiceAccountToken: false,
})
