import { join } from 'node:path'
import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { printBundle } from '../../pure/bundle.ts'
import { printKey } from '../../pure/object.ts'
import type { SecretText } from '../../pure/secret-text.ts'
import { CommandFailure } from '../command-failure.ts'
import { agentNamed } from './agents.ts'
import { type Where, withCluster } from './cluster.ts'
import { findKey } from './find-key.ts'
import type { Format } from './format.ts'
import type { FoundKey } from './key-material.ts'
import { printValue } from './output.ts'
import { makePrivateDirectory, writeFileAnew } from './private-file.ts'
import { printTable } from './table.ts'
import { seedExposure, terminal } from './terminal.ts'

interface Options extends Where {
  readonly output: Format
  readonly bundle?: string
  readonly outputDir?: string
  readonly seedOnly?: boolean
  readonly showSecret?: boolean
}

/** Hands out an agent's key, in the form that was asked for. */
export const getKey = async (name: string | undefined, options: Options): Promise<void> => {
  const { bundle, outputDir, seedOnly = false } = options
  // Before anything is read: a seed that nobody may see need not be fetched.
  if (seedOnly || bundle === '-') assertMayBeSeen(options)
  const { agent, key } = await withCluster(options, async (client) => {
    const found = await agentNamed(client, name)
    return { agent: found, key: await findKey(client, found) }
  })
  if (seedOnly) process.stdout.write(key.seed.reveal())
  else if (outputDir !== undefined) await writeKeyFiles(outputDir, key)
  else if (bundle !== undefined) await writeBundle(bundle, bundleOf(agent, key))
  else process.stdout.write(printFound(key, options))
}

const assertMayBeSeen = ({ showSecret = false }: Options): void => {
  if (seedExposure('plain', { showSecret, at: terminal() }) === 'show') return
  const how = 'send it to a file or a program, or say --show-secret'
  throw new CommandFailure('usage', `a private key would be shown on this terminal: ${how}`)
}

const bundleOf = ({ metadata, spec }: LedgerClusterAgent, { seed, keyId }: FoundKey): SecretText =>
  printBundle({ seed, keyId, scopes: spec?.scopes, agent: metadata.name, god: spec?.god === true })

const writeBundle = async (path: string, content: SecretText): Promise<void> => {
  if (path === '-') process.stdout.write(content.reveal())
  else {
    await writeFileAnew(path, content, 0o600)
    process.stderr.write(`wrote ${path}\n`)
  }
}

const writeKeyFiles = async (directory: string, { seed, publicKey }: FoundKey): Promise<void> => {
  await makePrivateDirectory(directory)
  await writeFileAnew(join(directory, 'seed.hex'), seed, 0o600)
  await writeFileAnew(join(directory, 'pubkey.hex'), publicKey, 0o644)
  process.stderr.write(`wrote seed.hex and pubkey.hex to ${directory}\n`)
}

const printFound = (key: FoundKey, { output, showSecret = false }: Options): string => {
  const { keyId, publicKey, secret } = key
  const exposure = seedExposure('table', { showSecret, at: terminal() })
  const seed = exposure === 'show' ? key.seed.reveal() : String(key.seed)
  if (output === 'name') return `secret/${secret.name}\n`
  if (output !== 'table') return printValue({ keyId, publicKey, seed, secret }, output)
  return printTable([
    ['Key ID', keyId],
    ['Public Key', publicKey],
    ['Seed', seed],
    ['Secret', printKey(secret)],
  ])
}
