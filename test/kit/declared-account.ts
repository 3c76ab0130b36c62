import { allControllers } from '../../src/controllers/all.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { Port } from '../../src/kube/port.ts'
import { rbacOf, serviceAccountName } from '../../src/pure/rbac.ts'
import type { Right } from '../../src/pure/rights.ts'
import type { Scope } from '../../src/pure/scope.ts'
import { rightsOf } from '../../src/runtime/rights.ts'
import { type Act, grantedBy, printAct } from './act.ts'
import { ApiServer } from './api-server.ts'
import { serviceAccountKubeconfig } from './service-account.ts'
import { connectAsAdmin as connectWith, sharedConnection } from './shared-control-plane.ts'

export interface DeclaredAccount extends AsyncDisposable {
  /** The API server, to which one is the account. */
  readonly port: Port
  readonly kubeconfig: string
  /** The roles that it has, and their bindings. */
  readonly objects: ReturnType<typeof rbacOf>
}

/** The operator's service account with the rights that are declared and no others, all of them in force. */
export const declaredAccount = async (
  scope: Scope,
  rights: readonly Right[] = rightsOf(allControllers(scope.own)),
): Promise<DeclaredAccount> => {
  const api = new ApiServer(sharedConnection().port)
  const objects = rbacOf(rights, scope)
  const metadata = { namespace: scope.own, name: serviceAccountName }
  await using made = new AsyncDisposableStack()
  made.defer(async () => {
    for (const object of objects) await api.delete(await api.pathOf(object))
  })
  await api.mustApply([{ apiVersion: 'v1', kind: 'ServiceAccount', metadata }, ...objects])
  const kubeconfig = made.use(await serviceAccountKubeconfig(api, scope.own, serviceAccountName))
  const { port } = connectWith(kubeconfig.file)
  made.defer(() => port.close())
  for (const act of grantedBy(objects)) await eventually(`the right to ${printAct(act)}`, () => isAllowed(port, act))
  const kept = made.move()
  return { port, kubeconfig: kubeconfig.file, objects, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The server learns of a role a moment after it was written. */
export const isAllowed = async (port: Port, { namespace = '', ...act }: Act): Promise<boolean> => {
  const { body } = await new ApiServer(port).post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { resourceAttributes: { namespace, ...act } },
  })
  return (body['status'] as { readonly allowed: boolean }).allowed
}
