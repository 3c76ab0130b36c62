import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { pathOf } from '../../src/kube/client.ts'
import type { Port } from '../../src/kube/port.ts'
import { apiVersionOf } from '../../src/pure/kind.ts'
import { ApiServer, dryRun } from './api-server.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'
const name = 'agents-of-one-test'
const { group, version, plural, kind } = LedgerClusterAgent

const isNarrow = [
  'object.?spec.?selector.?matchLabels.orValue({}).size() > 0',
  "object.?spec.?selector.?matchExpressions.orValue([]).exists(one, one.operator in ['In', 'Exists'])",
].join(' || ')

const policy = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [group], apiVersions: [version], resources: [plural], operations: ['CREATE', 'UPDATE'] },
      ],
    },
    validations: [
      {
        expression: isNarrow,
        message:
          'this agent matches the services of all tests that run now: select by labels of your own, or take a cluster of your own',
      },
    ],
  },
}

const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
}

/**
 * Refuses agents that match every service. An operator looks after its own services alone, but lists the keys of every
 * agent that matches them: such an agent of one test would be news to the services of all others.
 */
export const installSelectorGuard = async (port: Port): Promise<void> => {
  const api = new ApiServer(port)
  await api.mustApply([policy, binding])
  const wide = {
    apiVersion: apiVersionOf(LedgerClusterAgent),
    kind,
    metadata: { name: 'wide' },
    spec: { selector: {} },
  }
  await eventually('the policy is in force', async () => {
    const { status } = await api.post(pathOf(LedgerClusterAgent, {}), wide, dryRun)
    return status >= 400
  })
}
