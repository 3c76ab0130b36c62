// A parent to be killed: starts a control plane, prints its directory, and waits.
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'

const controlPlane = await startControlPlane({ controllerManager: true })
process.stdout.write(`${controlPlane.directory}\n`)
