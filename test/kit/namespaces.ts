import { LedgerService } from '../../src/api/ledgerservice.ts'
import { deleteMeant } from './key-guard.ts'
import { randomBytes } from 'node:crypto'
import { eventually } from '../../src/dev/eventually.ts'
import { ConfigMap, Namespace, Pod, Secret, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { serviceNames } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { ApiServer } from './api-server.ts'
import { type Connection, sharedConnection } from './shared-control-plane.ts'
import { User } from './user.ts'

/** Namespaces of one test's own, which go with it. */
export const ownNamespaces = async (...roles: readonly string[]) => {
  const { port } = sharedConnection()
  const id = randomBytes(4).toString('hex')
  const named = (role: string) => `${role}-${id}`
  const user = new User(port)
  for (const role of roles) await user.create(Namespace, { metadata: { name: named(role) } })
  return {
    id,
    named,
    user,
    api: new ApiServer(port),
    async [Symbol.asyncDispose]() {
      await Promise.all(roles.map((role) => removeNamespace(named(role))))
    },
  }
}

/** Operators watch what there is in all namespaces: what a test leaves behind slows down every other. */
export const emptyNamespace = async (
  name: string,
  { port, client }: Connection = sharedConnection(),
): Promise<void> => {
  const user = new User(port)
  const { managedBy } = serviceNames
  // A service first: while it is there, its objects come back.
  for (const kind of [LedgerService, StatefulSet, Pod, Secret, ConfigMap, Service, ServiceAccount]) {
    // Not the account that the operator itself may be.
    const labelSelector = kind === ServiceAccount ? `${managedBy.label}=${managedBy.value}` : undefined
    const { items } = await client.list(kind, { namespace: name, labelSelector }, { extent: 'metadata' })
    const remove = (object: KubeObject) =>
      kind === Secret ? deleteMeant(user, object) : user.delete(kind, object.metadata)
    await Promise.all(items.map(remove))
  }
}

/** Lets go what nobody else would: the shared control plane need not have a namespace controller. Where it has one, that may be faster. */
export const removeNamespace = async (name: string, cluster: Connection = sharedConnection()): Promise<void> => {
  const { port, client } = cluster
  const user = new User(port)
  await emptyNamespace(name, cluster)
  await user.delete(Namespace, { name })
  await eventually(`${name} is gone`, async () => {
    if ((await client.get(Namespace, { name })) === undefined) return true
    return user.finalizeNamespace(name).then(
      () => false,
      () => false,
    )
  })
}
