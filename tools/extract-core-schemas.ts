import { writeFileSync } from 'node:fs'
import { startControlPlane } from '../src/dev/control-plane/control-plane.ts'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { connect } from '../src/kube/wire.ts'
import { readCoreSchemas } from './core-schemas.ts'

// Run by hand when the pinned Kubernetes version changes: writes src/api/core-schemas.json from a running server.
await using controlPlane = await startControlPlane({ controllerManager: false })
const port = connect(readKubeconfig(controlPlane.kubeconfig, systemClock))
const file = new URL('../src/api/core-schemas.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(await readCoreSchemas(port), null, 2)}\n`)
await port.close()
