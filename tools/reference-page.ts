import type { KindDefinition, Rule } from '../src/api/define-kind.ts'
import { type StructuralSchema, structuralSchemaOf } from '../src/api/structural.ts'
import { apiVersionOf } from '../src/pure/kind.ts'

/** The page of a kind in docs/reference. */
export const referencePageOf = (kind: KindDefinition): string => {
  const fields = [
    ...fieldsOf('spec', structuralSchemaOf(kind.spec, named)),
    ...fieldsOf('status', structuralSchemaOf(kind.status, named)),
  ]
  return `${[
    `# ${kind.kind}`,
    kind.summary,
    `\`${apiVersionOf(kind)}\`, ${kind.namespaced ? 'namespaced' : 'cluster-scoped'}; \`kubectl get ${kind.plural}\`, short \`${kind.shortNames.join('`, `')}\`.`,
    'Made from `src/api` by `make generate`. Types with a capital are Kubernetes’ own: `kubectl explain` shows what is in them.',
    fieldTable('spec', fields),
    fieldTable('status', fields),
    table('## Rules that the API server enforces', ['where', 'rule', 'what it says'], rulesOf(kind, fields)),
    table(
      '## Columns of kubectl get',
      ['column', 'shows'],
      kind.columns.map(({ name, description }) => [name, description]),
    ),
  ].join('\n\n')}\n`
}

interface Field {
  readonly path: string
  readonly isRequired: boolean
  readonly schema: StructuralSchema
}

const named = (coreType: string): StructuralSchema => ({ type: coreType })

const fieldsOf = (path: string, { properties = {}, required = [] }: StructuralSchema): readonly Field[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const here = `${path}.${name}`
    const inner = schema.items === undefined ? fieldsOf(here, schema) : fieldsOf(`${here}[]`, schema.items)
    return [{ path: here, isRequired: required.includes(name), schema }, ...inner]
  })

const fieldTable = (title: string, fields: readonly Field[]): string =>
  table(
    `## ${title}`,
    ['field', 'type', 'required', 'default', 'meaning'],
    fields
      .filter(({ path }) => path.startsWith(`${title}.`))
      .map(({ path, isRequired, schema }) => [
        `\`${path}\``,
        `${typeOf(schema)}${limitsOf(schema)}`,
        isRequired ? 'yes' : '',
        schema['default'] === undefined ? '' : `\`${JSON.stringify(schema['default'])}\``,
        schema.description ?? '',
      ]),
  )

const typeOf = ({ type, format, items, additionalProperties }: StructuralSchema): string => {
  if (items !== undefined) return `${typeOf(items)}[]`
  if (additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}`
  return format ?? type ?? 'any'
}

const limitsOf = ({ enum: values, minimum, maximum }: StructuralSchema): string => {
  if (Array.isArray(values)) return `: ${values.join(', ')}`
  if (minimum === undefined && maximum === undefined) return ''
  return `, ${[minimum, maximum].map((bound) => (typeof bound === 'number' ? bound : '')).join('..')}`
}

const rulesOf = ({ rules }: KindDefinition, fields: readonly Field[]): readonly (readonly string[])[] =>
  [{ path: '', schema: { 'x-kubernetes-validations': rules } }, ...fields].flatMap(({ path, schema }) =>
    ((schema['x-kubernetes-validations'] ?? []) as readonly Rule[]).map(({ rule, message }) => [
      path === '' ? 'the object' : `\`${path}\``,
      // A bar would end the cell.
      `\`${rule.replaceAll('|', '\\|')}\``,
      message,
    ]),
  )

export const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [title, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
