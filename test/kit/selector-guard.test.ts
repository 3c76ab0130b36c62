import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { pathOf } from '../../src/kube/client.ts'
import { apiVersionOf } from '../../src/pure/kind.ts'
import { ApiServer, dryRun } from './api-server.ts'
import { sharedConnection } from './shared-control-plane.ts'

const answerTo = (selector: object) => {
  const { kind } = LedgerClusterAgent
  const agent = { apiVersion: apiVersionOf(LedgerClusterAgent), kind, metadata: { name: 'any' }, spec: { selector } }
  return new ApiServer(sharedConnection().port).post(pathOf(LedgerClusterAgent, {}), agent, dryRun)
}

const asking = (operator: string, values?: readonly string[]) => ({
  matchExpressions: [{ key: 'env', operator, ...(values && { values }) }],
})

test.for([{}, { matchLabels: {} }, asking('DoesNotExist'), asking('NotIn', ['x'])])(
  'no test makes an agent that matches the services of all others: %j',
  async (selector) => {
    const { status, body } = await answerTo(selector)
    expect(status).toBe(422)
    expect(body.message).toContain('select by labels of your own')
  },
)

test.for([{ matchLabels: { env: 'x' } }, asking('Exists'), asking('In', ['x'])])(
  'an agent that asks for a label is welcome: %j',
  async (selector) => {
    expect((await answerTo(selector)).status).toBe(201)
  },
)
