import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { isTest, type Tree } from '../check/tree.ts'
import { type NamedTest, testsIn } from '../test-names.ts'

interface Rule {
  readonly id: string
  readonly place: string
}

const ruleLine = /^(?:[-*]\s+)?\*\*([A-Z]+-\d+)\*\*/
const leadingIds = /^(?:[A-Z]{2,5}-\d+\b[\s,:]*)+/

const specPages = ({ files }: Tree): readonly string[] =>
  files.filter((file) => /^docs\/specs\/[^/]+\.md$/.test(file) && !file.endsWith('/README.md'))

export const rules: Gate = {
  name: 'rules',
  floor: (tree) => Math.max(1, specPages(tree).length),
  examine(tree) {
    const pages = specPages(tree).map((page) => ({ page, rules: rulesIn(tree, page) }))
    const written = pages.flatMap((page) => page.rules)
    const tests = tree.files
      .filter(isTest)
      .flatMap((file) => testsIn(file, readFileSync(join(tree.root, file), 'utf8')))
    const faults = [
      ...pages.filter((page) => page.rules.length === 0).map(({ page }) => `${page} holds no rule`),
      ...twice(written),
      ...unproved(written, tests),
      ...unknown(written, tests),
    ]
    return Promise.resolve({ examined: written.length, unit: `rules, ${tests.length} tests`, faults })
  },
}

const rulesIn = ({ root }: Tree, page: string): readonly Rule[] =>
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const id = ruleLine.exec(line)?.[1]
      return id === undefined ? [] : [{ id, place: `${page}:${index + 1}` }]
    })

const idsOf = ({ name }: NamedTest): readonly string[] => leadingIds.exec(name)?.[0].match(/[A-Z]+-\d+/g) ?? []

const twice = (written: readonly Rule[]): readonly string[] => {
  const first = new Map<string, string>()
  return written.flatMap(({ id, place }) => {
    const before = first.get(id)
    if (before === undefined) first.set(id, place)
    return before === undefined ? [] : [`${place} ${id} is already taken at ${before}`]
  })
}

const unproved = (written: readonly Rule[], tests: readonly NamedTest[]): readonly string[] => {
  // A skipped test proves nothing.
  const proved = new Set(tests.filter((test) => !test.skipped).flatMap(idsOf))
  return written.filter(({ id }) => !proved.has(id)).map(({ id, place }) => `${place} ${id} has no test`)
}

const unknown = (written: readonly Rule[], tests: readonly NamedTest[]): readonly string[] => {
  const known = new Set(written.map(({ id }) => id))
  return tests.flatMap((test) =>
    idsOf(test)
      .filter((id) => !known.has(id))
      .map((id) => `${test.place} ${id} is in no page of docs/specs`),
  )
}
