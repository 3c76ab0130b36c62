import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation, takeoverAnnotation } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey } from '../fixtures/agent.ts'
import { aSuite, type Suite, type SuiteOptions } from './suite.ts'

/** A Secret that looks like a copy of the agent's key; where nothing is said, like one of the former operator. */
export interface Holder {
  readonly role: string
  readonly seed?: number
  readonly name?: (agent: string) => string
  readonly metadata?: object
  readonly data?: Readonly<Record<string, string>>
  readonly immutable?: boolean
  readonly writer?: string
}

export const keyOfHolder = (suite: Suite, { role, name = agentNames.replica }: Holder) => ({
  namespace: suite.named(role),
  name: name(suite.agentName),
})

export const createHolder = (suite: Suite, holder: Holder): Promise<void> => {
  const { seed, data = aKey(seed), metadata, immutable = false, writer = 'ledger-operator' } = holder
  const labels = { [agentNames.label]: suite.agentName }
  return suite.user
    .as(writer)
    .create(Secret, { metadata: { ...keyOfHolder(suite, holder), labels, ...metadata }, data, immutable })
}

export interface Former {
  /** The namespaces that exist; those of the holders are among them. */
  readonly roles: readonly string[]
  readonly targets: readonly string[]
  readonly holders: readonly Holder[]
  /** What the former operator said of its agent. */
  readonly status?: (suite: Suite) => object
}

/**
 * A suite with an agent that the former operator knew, and no canonical Secret. The agent carries what our first mark
 * writes: one without a claim would be taken up by the operator of any test.
 */
export const aFormerSuite = async (
  { roles, targets, holders, status }: Former,
  options: SuiteOptions = {},
): Promise<Suite> => {
  const suite = await aSuite(roles, options)
  for (const holder of holders) await createHolder(suite, holder)
  await suite.createAgent(targets, {
    finalizers: [agentNames.finalizer],
    annotations: { [claimAnnotation]: suite.operatorNamespace, [takeoverAnnotation]: 'ledger-operator' },
  })
  if (status !== undefined) {
    const former = suite.user.as('ledger-operator')
    await former.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: status(suite) })
  }
  return suite
}

/** The test's Secrets, each with all that makes it that one and no other. */
export const printSecrets = async (suite: Suite): Promise<readonly string[]> =>
  (await suite.secrets())
    .map(({ metadata, data }) => `${printKey(metadata)} ${metadata.uid} ${JSON.stringify(data)}`)
    .sort()

/** Where a key with this seed lies. */
export const placesOf = async (suite: Suite, seed: number): Promise<readonly string[]> =>
  (await suite.secrets())
    .filter(({ data }) => data?.['seed.hex'] === aKey(seed)['seed.hex'])
    .map(({ metadata }) => printKey(metadata))
    .sort()

export const annotateAgent = (suite: Suite, annotations: Readonly<Record<string, string | null>>): Promise<void> =>
  suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
