import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import { agentNamed, noLongerShown } from './agents.ts'
import { askForConsent } from './ask.ts'
import { type Where, withCluster } from './cluster.ts'
import { assertNamed, consentTo } from './consent.ts'
import { printName } from './output.ts'

interface Options extends Where {
  readonly yes?: boolean
}

/** Deletes an agent: the very one that was shown, and no other that has its name by then. */
export const deleteAgent = async (name: string | undefined, { yes = false, ...where }: Options): Promise<void> => {
  assertNamed(name, yes, 'agent shall go: kubectl ledger agents delete NAME')
  const asking = consentTo('delete it', yes)
  await withCluster(where, async (client) => {
    const agent = await agentNamed(client, name)
    const { metadata, status } = agent
    if (asking === 'ask') {
      const key = status?.keyID === undefined || status.keyID === '' ? 'Its key' : `Its key ${status.keyID}`
      await askForConsent(
        `Delete agent "${metadata.name}"? ${key} goes too, and every bundle that was handed out stops working.`,
      )
    }
    const left = await client
      .delete(LedgerClusterAgent, { name: metadata.name }, metadata.uid)
      .catch((error: unknown) => {
        if (!isApiError(error, 'conflict')) throw error
        throw noLongerShown(agent, 'delete it', error)
      })
    process.stdout.write(`${printName(metadata.name)} ${left === undefined ? 'deleted' : 'is being deleted'}\n`)
    if (left !== undefined) process.stderr.write('it is gone when its operator has taken its Secrets away\n')
  })
}
