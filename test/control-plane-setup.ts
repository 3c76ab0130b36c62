import type { TestProject } from 'vitest/node'
import { startControlPlane } from '../src/dev/control-plane/control-plane.ts'
import { installCrds } from '../src/dev/install-crds.ts'
import { installKeyGuard } from './kit/key-guard.ts'
import { installSelectorGuard } from './kit/selector-guard.ts'
import { connectAsAdmin } from './kit/shared-control-plane.ts'

/** One control plane for all test files; each test keeps to its own namespaces and names. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const controlPlane = await startControlPlane({ controllerManager: false, say: (line) => console.log(line) })
  console.log(`Kubernetes ${controlPlane.version} at ${controlPlane.url}`)
  const { port, client } = connectAsAdmin(controlPlane.kubeconfig)
  await installCrds(client)
  await installKeyGuard(port, client)
  await installSelectorGuard(port)
  await port.close()
  project.provide('kubeconfig', controlPlane.kubeconfig)
  return () => controlPlane.stop()
}
