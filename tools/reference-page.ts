import type { KindDefinition } from '../src/api/define-kind.ts'
import { type StructuralSchema, structuralSchemaOf } from '../src/api/structural.ts'
import { apiVersionOf } from '../src/pure/kind.ts'

/** The page of a kind in docs/reference. */
export const referencePageOf = (kind: KindDefinition): string =>
  `${[
    `# ${kind.kind}`,
    kind.summary,
    `\`${apiVersionOf(kind)}\`, ${kind.namespaced ? 'namespaced' : 'cluster-scoped'}; \`kubectl get ${kind.plural}\`, short \`${kind.shortNames.join('`, `')}\`.`,
    'Made from `src/api` by `make generate`.',
    fieldTable('spec', structuralSchemaOf(kind.spec)),
    fieldTable('status', structuralSchemaOf(kind.status)),
    table(
      '## Rules that the API server enforces',
      ['rule', 'what it says'],
      kind.rules.map(({ rule, message }) => [`\`${rule}\``, message]),
    ),
    table(
      '## Columns of kubectl get',
      ['column', 'shows'],
      kind.columns.map(({ name, description }) => [name, description]),
    ),
  ].join('\n\n')}\n`

const fieldTable = (title: string, schema: StructuralSchema): string =>
  table(`## ${title}`, ['field', 'type', 'required', 'meaning'], rowsOf(title, schema))

const rowsOf = (path: string, { properties = {}, required = [] }: StructuralSchema): string[][] =>
  Object.entries(properties).flatMap(([name, field]) => {
    const inner = field.items ?? field
    const where = `${path}.${name}`
    const row = [`\`${where}\``, typeOf(field), required.includes(name) ? 'yes' : '', field.description ?? '']
    return [row, ...rowsOf(field.items === undefined ? where : `${where}[]`, inner)]
  })

const typeOf = ({ type, format, items, additionalProperties }: StructuralSchema): string => {
  if (items !== undefined) return `${typeOf(items)}[]`
  if (additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}`
  return format ?? type ?? 'any'
}

const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [title, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
