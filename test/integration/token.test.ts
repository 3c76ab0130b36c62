import { expect, inject, test } from 'vitest'
import { createClient } from '../../src/kube/client.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import { connect } from '../../src/kube/wire.ts'
import { type Kind, Namespace } from '../../src/pure/kind.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'

const ServiceAccount: Kind = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
}

test('a service account’s token is let in as that account, with that account’s rights', async () => {
  await using suite = await aSuite([])
  const key = { namespace: suite.operatorNamespace, name: 'robot' }
  await suite.user.create(ServiceAccount, { metadata: key })
  const path = `/api/v1/namespaces/${key.namespace}/serviceaccounts/robot/token`
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })
  const request = {
    method: 'POST',
    path,
    query: {},
    accept: 'application/json',
    contentType: 'application/json',
    body,
  } as const
  const reply = await sharedConnection().port.call(request, AbortSignal.timeout(10_000))
  const { status } = JSON.parse(reply.body) as { status: { token: string } }
  const { server, ca } = readKubeconfig(inject('kubeconfig'))
  const port = connect({ server, ca, cert: undefined, key: undefined, token: status.token })
  const client = createClient(port, AbortSignal.timeout(10_000))

  await expect(client.list(Namespace, {})).rejects.toThrow(
    'cannot list Namespaces: the API server answered 403 Forbidden',
  )
  await port.close()
})

test('a server that the kubeconfig’s CA does not vouch for is not spoken to', async () => {
  const { server, cert, key } = readKubeconfig(inject('kubeconfig'))
  const port = connect({ server, ca: cert, cert, key, token: undefined })

  await expect(createClient(port, AbortSignal.timeout(10_000)).list(Namespace, {})).rejects.toThrow('is not reachable')
  await port.close()
})
