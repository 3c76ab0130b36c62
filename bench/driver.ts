import { LedgerClusterAgent } from '../src/api/ledgerclusteragent.ts'
import { eventually } from '../src/dev/eventually.ts'
import { type Client, createClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { Informer } from '../src/kube/informer.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { Turnstile } from '../src/kube/turnstile.ts'
import { connect } from '../src/kube/wire.ts'
import { Secret } from '../src/pure/kind.ts'
import { agentNames } from '../src/pure/names.ts'

export interface AgentWish {
  readonly name: string
  readonly namespaces: readonly string[]
}

/** Plays the users: makes and deletes agents, at most as many at once as the wire has connections, and looks on. */
export interface Driver extends AsyncDisposable {
  readonly client: Client
  readonly signal: AbortSignal
  /** Starts to look on; resolves when it sees what is there. */
  watch(): Promise<void>
  create(agents: readonly AgentWish[]): Promise<void>
  delete(agents: readonly AgentWish[]): Promise<void>
  untilReady(agents: readonly AgentWish[]): Promise<void>
  /** Also waits for the Secrets of every agent to go. */
  untilGone(agents: readonly AgentWish[]): Promise<void>
}

const manager = 'holdfast-bench'
const deadlineMs = 180_000

export const connectDriver = (kubeconfig: string, stopping: AbortSignal): Driver => {
  const closed = new AbortController()
  const signal = AbortSignal.any([stopping, closed.signal])
  const port = connect(readKubeconfig(kubeconfig, systemClock))
  const client = createClient(port, signal)
  const onTrouble = (error: unknown) => void process.stderr.write(`driver: ${String(error)}\n`)
  const informer = new Informer<LedgerClusterAgent>(
    { kind: LedgerClusterAgent, choice: {}, extent: 'whole', indexes: {} },
    undefined,
    { client, clock: systemClock, signal, syncs: new Turnstile(1), onTrouble },
  )
  const until = async (question: string, ask: () => boolean | Promise<boolean>): Promise<void> => {
    const askUnlessStopped = () => {
      signal.throwIfAborted()
      return ask()
    }
    await eventually(question, askUnlessStopped, deadlineMs)
  }
  const seen = ({ name }: AgentWish): LedgerClusterAgent | undefined => informer.store.get(name)
  const hasNoSecrets = async (): Promise<boolean> => {
    const { items } = await client.list(Secret, { labelSelector: agentNames.label }, { extent: 'metadata', limit: 1 })
    return items.length === 0
  }

  return {
    client,
    signal,
    async watch() {
      void informer.run()
      await informer.synced
    },
    async create(agents) {
      const create = ({ name, namespaces }: AgentWish) =>
        client.create(
          LedgerClusterAgent,
          { metadata: { name }, spec: { selector: {}, additionalNamespaces: namespaces } },
          manager,
        )
      await Promise.all(agents.map(create))
    },
    async delete(agents) {
      const live = agents.flatMap((agent) => seen(agent) ?? [])
      await Promise.all(live.map(({ metadata }) => client.delete(LedgerClusterAgent, metadata, metadata.uid)))
    },
    untilReady: (agents) =>
      until('all agents are ready', () => agents.every((agent) => seen(agent)?.status?.phase === 'Ready')),
    async untilGone(agents) {
      await until('all agents are gone', () => agents.every((agent) => seen(agent) === undefined))
      await until('all Secrets are gone', hasNoSecrets)
    },
    [Symbol.asyncDispose]: () => {
      closed.abort()
      return port.close()
    },
  }
}
