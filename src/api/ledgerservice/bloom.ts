import { z } from 'zod'

const filter = (what: string) =>
  z
    .object({
      expectedKeys: z.int().optional().describe('How many keys the filter is made for; not negative.'),
      fpRate: z.string().optional().describe('Share of wrong hits that is put up with, between 0 and 1, such as 0.01.'),
    })
    .optional()
    .describe(`Filter of ${what}.`)

export const bloom = z
  .object({
    volumes: filter('volumes'),
    metadata: filter('metadata of accounts'),
    references: filter('references of transactions'),
    ledgers: filter('ledgers'),
    boundaries: filter('boundaries'),
    transactions: filter('transactions'),
    sinkConfigs: filter('settings of sinks'),
    numscriptVersions: filter('versions of scripts'),
    numscriptContents: filter('contents of scripts'),
    ledgerMetadata: filter('metadata of ledgers'),
    preparedQueries: filter('prepared queries'),
  })
  .optional()
  .describe('Bloom filters, which spare a look at the disk for what is not there.')
