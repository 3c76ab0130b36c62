import type { Command } from 'commander'
import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { printCompletions } from '../completion.ts'
import { agentNamed, allAgents } from './agents.ts'
import { type Where, withCluster } from './cluster.ts'
import { isRevoked, keyIdsOf } from './keys.ts'

// Whoever has pressed a key waits for it.
const longestWait = 1000

/** Prints what may follow these words: besides commands and options, the agents that there are, and their keys. */
export const printLedgerCompletions = async (program: Command, words: readonly string[]): Promise<void> => {
  const { command, path, values, wantsValue } = read(program, words.slice(0, -1))
  const argument = command.registeredArguments[values.positional.length]
  const isForValue = !wantsValue && path.length === 2 && command.name() !== 'create'
  if (argument !== undefined && isForValue) argument.choices(await liveValues(values))
  // The library looks for options at the command alone.
  if (command !== program) for (const option of program.options) command.addOption(option)
  const typed = words.slice(-1)
  printCompletions(program, [...path, ...values.options, ...values.positional, ...typed])
}

interface Words {
  readonly command: Command
  /** The commands that were named, without their aliases. */
  readonly path: readonly string[]
  readonly values: Where & { readonly positional: readonly string[]; readonly options: readonly string[] }
  /** The last word is an option whose value is being typed. */
  readonly wantsValue: boolean
}

const read = (program: Command, words: readonly string[]): Words => {
  let command = program
  let awaiting: string | undefined
  const path: string[] = []
  const positional: string[] = []
  const options: string[] = []
  const where = new Map<string, string>()
  for (const word of words) {
    if (awaiting !== undefined) {
      where.set(awaiting, word)
      awaiting = undefined
      options.push(word)
    } else if (word.startsWith('-')) {
      const option = [...program.options, ...command.options].find(({ short, long }) => word === short || word === long)
      awaiting = option?.required === true ? option.attributeName() : undefined
      options.push(word)
    } else {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
      if (next === undefined) positional.push(word)
      else path.push(next.name())
      command = next ?? command
    }
  }
  const [kubeconfig, context] = [where.get('kubeconfig'), where.get('context')]
  return {
    command,
    path,
    values: {
      positional,
      options,
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    },
    wantsValue: awaiting !== undefined,
  }
}

const revocableOf = (agent: LedgerClusterAgent): readonly string[] =>
  keyIdsOf(agent).filter((id) => !isRevoked(agent, id))

/** The agents, or the keys of one that was named. None where they cannot be had: completion has no place to complain. */
const liveValues = async ({ positional: [name], ...where }: Words['values']): Promise<readonly string[]> => {
  const read = async (client: Client) =>
    name === undefined
      ? (await allAgents(client)).map(({ metadata }) => metadata.name)
      : revocableOf(await agentNamed(client, name))
  try {
    return await withCluster(where, read, AbortSignal.timeout(longestWait))
  } catch {
    return []
  }
}
