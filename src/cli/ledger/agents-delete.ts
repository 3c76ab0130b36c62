import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import { CommandFailure } from '../command-failure.ts'
import { agentNamed } from './agents.ts'
import { askForConsent } from './ask.ts'
import { type Where, withCluster } from './cluster.ts'
import { printName } from './output.ts'
import { consent, terminal } from './terminal.ts'

interface Options extends Where {
  readonly yes?: boolean
}

/** Deletes an agent: the very one that was shown, and no other that has its name by then. */
export const deleteAgent = async (name: string | undefined, { yes = false, ...where }: Options): Promise<void> => {
  const asking = consent(yes, terminal())
  // A key that is gone cannot be made again: nobody shall lose one that they have neither named nor seen.
  if (asking !== 'ask' && name === undefined) {
    throw new CommandFailure('usage', 'say which agent shall go: kubectl ledger agents delete NAME')
  }
  if (asking === 'refuse') throw new CommandFailure('usage', 'there is nobody to ask: say --yes to delete it')
  await withCluster(where, async (client) => {
    const { metadata, status } = await agentNamed(client, name)
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
        const why = `agent "${metadata.name}" is not the one any more that was shown: look at it again before you delete it`
        throw new CommandFailure('conflict', why, error)
      })
    process.stdout.write(`${printName(metadata.name)} ${left === undefined ? 'deleted' : 'is being deleted'}\n`)
    if (left !== undefined) process.stderr.write('it is gone when its operator has taken its Secrets away\n')
  })
}
