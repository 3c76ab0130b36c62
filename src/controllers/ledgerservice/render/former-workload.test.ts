import { expect, test } from 'vitest'
import former from '../../../../test/fixtures/ledgerservice-effects.json' with { type: 'json' }
import golden from '../../../../test/fixtures/ledger-services.json' with { type: 'json' }
import workloads from '../../../../test/fixtures/ledgerservice-workloads.json' with { type: 'json' }
import { aLedgerService, aService, pathsOf, renderedPaths, settings } from '../../../../test/kit/rendered-service.ts'
import { withoutServerDefaults } from '../../../../test/kit/server-defaults.ts'
import { formerServices, formerWorkloadOf } from '../../../../test/kit/former-services.ts'
import { isAuthOn } from '../../../pure/ledger-auth.ts'
import { withDefaults } from '../defaults.ts'
import { renderEnv } from './env.ts'
import type { renderStatefulSet } from './stateful-set.ts'

test('LSV-8 a service of which nothing is said becomes what the former operator made of it', () => {
  const { [startScript]: _, ...wanted }: Readonly<Record<string, unknown>> = former.base
  expect(withoutServerDefaults(renderedPaths(aService({}, 'NAME')))).toEqual(withoutServerDefaults(wanted))
})

const startScript = 'StatefulSet ledger-NAME.spec.template.spec.containers[ledger].command[2]'

const keysHash = 'a4887c07804e530adbee095366a0737b14ffa810fc24703cfabb779432b1eed9'

test.each(golden.services.map((service) => [service.metadata.namespace, service] as const))(
  'LSV-8 the workload that the former operator left in %s is rendered as it is',
  (namespace, { metadata, spec }) => {
    const theirs = workloads.items.filter((item) => item.metadata.namespace === namespace)
    const ours = renderedPaths(aService(spec, metadata.name, namespace), { hash: keysHash, revision: 0 })
    expect(theirs).toHaveLength(4)
    expect(withoutServerDefaults(ours)).toEqual(withoutServerDefaults(pathsOf(theirs)))
  },
)

interface Variable {
  readonly name: string
  readonly value?: string
}

const printed = (env: readonly Variable[] = []) => env.map(({ name, value = '' }) => `${name}=${value}`)

test.each(formerServices.map((service) => [service.name, service] as const))(
  'LSV-8 the variables of %s, which the former operator wrote with one setting, are rendered in their order',
  (_, service) => {
    const { template } = formerWorkloadOf(service) as Pick<ReturnType<typeof renderStatefulSet>['spec'], 'template'>
    const complete = aService(service.spec, service.name, service.namespace)
    const ours = printed(renderEnv(complete, { hash: '', revision: 0 }))
    const theirs = printed(template.spec.containers[0]?.env)
    // A ledger that needs no tokens and has keys does not start.
    const isSound = (variable: string) => !variable.startsWith('AUTH_ED25519_KEYS=')
    expect(ours).toEqual(isAuthOn(complete.spec) ? theirs : theirs.filter(isSound))
  },
)

test('LSV-8 a service without a spec is one with an empty spec', () => {
  expect(withDefaults(aLedgerService(), settings)).toEqual(aService({}))
})

test('LSV-8 a text that is set to nothing is not set', () => {
  const nothing = { clusterID: '', bindAddr: '', walDir: '', dataDir: '', image: { repository: '', tag: '' } }
  expect(renderedPaths(aService(nothing))).toEqual(renderedPaths(aService({})))
})
