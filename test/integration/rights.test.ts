import { expect, test } from 'vitest'
import { allControllers } from '../../src/controllers/all.ts'
import { rightsOf } from '../../src/runtime/rights.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { Port } from '../../src/kube/port.ts'
import { rbacOf, serviceAccountName } from '../../src/pure/rbac.ts'
import { ApiServer } from '../kit/api-server.ts'
import { serviceAccountKubeconfig } from '../kit/service-account.ts'
import { connectAsAdmin as connectWith, sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'

test('an operator with the rights that were declared, and no others, hands out keys and takes them back', async () => {
  const ports: Port[] = []
  await using suite = await aSuite(['team'], { port: (gate) => ports[0] ?? gate })
  const api = new ApiServer(sharedConnection().port)
  const namespace = suite.operatorNamespace
  const objects = rbacOf(rightsOf(allControllers(namespace)), { own: namespace, watched: 'all' })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: serviceAccountName } }
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(async () => {
    for (const object of objects) await api.delete(await api.pathOf(object))
  })
  await api.mustApply([account, ...objects])
  const kubeconfig = cleanUp.use(await serviceAccountKubeconfig(api, namespace, serviceAccountName))
  const { port } = connectWith(kubeconfig.file)
  cleanUp.defer(() => port.close())
  ports.push(port)
  const operator = new ApiServer(port)
  for (const path of [
    '/api/v1/secrets',
    '/api/v1/namespaces',
    '/apis/ledger.formance.com/v1alpha1/ledgerclusteragents',
  ])
    await eventually('the roles are in force', async () => (await operator.get(path)).status === 200)

  await suite.start()
  await suite.createAgent(['team'])
  await suite.settle()
  const condition = await suite.condition()
  const replica = await suite.replica('team')
  await suite.deleteAgent()
  await suite.settle()
  await suite.stop()

  expect(condition).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  expect(replica).toBeDefined()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
  expect(suite.logs.filter((line) => line.includes('403'))).toEqual([])
})
