import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { installCrds } from '../../src/dev/install-crds.ts'
import { type Connection, connectAsAdmin } from './shared-control-plane.ts'

/** A cluster with our kinds that no other test sees: for what would concern the objects of all of them. */
export const ownCluster = async (): Promise<Connection & AsyncDisposable> => {
  const controlPlane = await startControlPlane({ controllerManager: false })
  const connection = connectAsAdmin(controlPlane.kubeconfig)
  await installCrds(connection.client)
  return {
    ...connection,
    async [Symbol.asyncDispose]() {
      await connection.port.close()
      await controlPlane.stop()
    },
  }
}
