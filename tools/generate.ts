import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { crdOf } from '../src/api/crd.ts'
import { kinds } from '../src/api/kinds.ts'
import { referencePageOf } from './reference-page.ts'

// Writes everything that is made from the definitions in src/api. With --check it writes nothing and names what is stale.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, root: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '..'))

const files = kinds.flatMap((kind) => [
  {
    path: `deploy/crds/${kind.group}_${kind.plural}.yaml`,
    content: stringify(crdOf(kind), { lineWidth: 0, aliasDuplicateObjects: false }),
  },
  { path: `docs/reference/${kind.singular}.md`, content: referencePageOf(kind) },
])

const isStale = ({ path, content }: (typeof files)[number]) =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content
const stale = files.filter(isStale)

if (!values.check) {
  for (const { path, content } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
for (const { path } of stale) console.log(`${values.check ? 'stale' : 'wrote'} ${path}`)
console.log(`${files.length} files`)
if (values.check && stale.length > 0) {
  console.error('generated files are stale: run make generate and commit the result')
  process.exitCode = 1
}
