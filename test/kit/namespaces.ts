import { randomBytes } from 'node:crypto'
import { eventually } from '../../src/dev/eventually.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { ApiServer } from './api-server.ts'
import { sharedConnection } from './shared-control-plane.ts'
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

/** Lets go what nobody else would: the shared control plane need not have a namespace controller. Where it has one, that may be faster. */
export const removeNamespace = async (name: string): Promise<void> => {
  const { port, client } = sharedConnection()
  const user = new User(port)
  const { items } = await client.list(Secret, { namespace: name }, { extent: 'metadata' })
  await Promise.all(items.map(({ metadata }) => user.delete(Secret, metadata)))
  await user.delete(Namespace, { name })
  await eventually(`${name} is gone`, async () => {
    if ((await client.get(Namespace, { name })) === undefined) return true
    return user.finalizeNamespace(name).then(
      () => false,
      () => false,
    )
  })
}
