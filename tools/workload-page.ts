import { printDocuments } from '../src/cli/install/documents.ts'
import { withDefaults } from '../src/controllers/ledgerservice/defaults.ts'
import { renderChildren } from '../src/controllers/ledgerservice/render/children.ts'
import { variableTables } from '../src/controllers/ledgerservice/render/env.ts'
import { fieldsOf } from '../src/controllers/ledgerservice/render/env/variables.ts'
import { unrendered } from '../src/controllers/ledgerservice/unrendered.ts'
import { LedgerService } from '../src/api/ledgerservice.ts'
import { apiVersionOf } from '../src/pure/kind.ts'
import { table } from './reference-page.ts'

const quoted = (fields: readonly string[]) => fields.map((field) => `\`${field}\``).join(', ')

const variables = variableTables.flatMap((group) =>
  Object.entries(group.variables).map(([name, source]) => [
    `\`${name}\``,
    quoted(fieldsOf(source)),
    group.when === undefined ? '' : `\`${group.when}\``,
  ]),
)

const service = withDefaults(
  {
    apiVersion: apiVersionOf(LedgerService),
    kind: LedgerService.kind,
    metadata: { name: 'books', namespace: 'team-a', uid: '', resourceVersion: '' },
  },
  { image: { repository: 'ghcr.io/formancehq/ledger', tag: 'latest' } },
)

const objects = renderChildren(service, undefined).map(({ kind, object }) => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  ...object,
}))

/** The page of docs/reference that says what a LedgerService becomes. */
export const workloadPage = (): string =>
  `${[
    '# What a LedgerService becomes',
    'Made from `src/controllers/ledgerservice` by `make generate`.',
    table('## Variables', ['variable', 'field of the spec', 'only while this is on'], variables),
    '## Fields without effect',
    unrendered.map((field) => `- \`${field}\``).join('\n'),
    '## The objects of a service of which nothing is said',
    `\`\`\`yaml\n${printDocuments(objects)}\`\`\``,
  ].join('\n\n')}\n`
