import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { crdOf } from '../src/api/crd.ts'
import { kinds } from '../src/api/kinds.ts'
import { printDocuments } from '../src/cli/install/documents.ts'
import { allControllers } from '../src/controllers/all.ts'
import { rightsOf } from '../src/runtime/rights.ts'
import { rbacOf } from '../src/pure/rbac.ts'
import type { Scope } from '../src/pure/scope.ts'
import { referencePageOf } from './reference-page.ts'
import { workloadPage } from './workload-page.ts'

// Writes everything that is made from the definitions in src. With --check it writes nothing and names what is stale.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, root: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '..'))

const own = 'holdfast-system'
const rbacFile = (name: string, watched: Scope['watched']) => ({
  path: `deploy/rbac/${name}.yaml`,
  content: printDocuments(rbacOf(rightsOf(allControllers(own)), { own, watched })),
})

const files = [
  ...kinds.flatMap((kind) => [
    { path: `deploy/crds/${kind.group}_${kind.plural}.yaml`, content: printDocuments([crdOf(kind)]) },
    { path: `docs/reference/${kind.singular}.md`, content: referencePageOf(kind) },
  ]),
  { path: 'docs/reference/ledgerservice-workload.md', content: workloadPage() },
  rbacFile('cluster', 'all'),
  rbacFile('namespaced', ['team-a', 'team-b']),
]

const isStale = ({ path, content }: (typeof files)[number]) =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content
const stale = files.filter(isStale)

/** Files beside generated ones that no definition makes any more. */
const orphans = [...new Set(files.map(({ path }) => dirname(path)))].flatMap((folder) =>
  (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
    .map((name) => `${folder}/${name}`)
    .filter((path) => files.every((file) => file.path !== path)),
)

if (!values.check) {
  for (const { path, content } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const path of orphans) rmSync(join(root, path))
}
for (const { path } of stale) console.log(`${values.check ? 'stale' : 'wrote'} ${path}`)
for (const path of orphans) console.log(`${values.check ? 'nothing makes' : 'removed'} ${path}`)
console.log(`${files.length} files`)
if (values.check && stale.length + orphans.length > 0) {
  console.error('generated files are stale: run make generate and commit the result')
  process.exitCode = 1
}
