import type { Gate } from '../check/gate.ts'
import { runTool, toolBroke } from '../check/tool.ts'
import { type Tree, typescriptFiles } from '../check/tree.ts'

interface Cruise {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: { readonly violations: readonly Violation[] }
}

interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: { readonly name: string }
  readonly cycle?: readonly { readonly name: string }[]
  readonly via?: readonly { readonly name: string }[]
}

const folders = ['src', 'test', 'bench', 'tools']

const cruised = (tree: Tree): readonly string[] => typescriptFiles(tree, ...folders)

export const layers: Gate = {
  name: 'layers',
  // dependency-cruiser without a TypeScript it knows sees no module at all and is content.
  floor: (tree) => cruised(tree).length,
  async examine(tree) {
    const present = folders.filter((folder) => typescriptFiles(tree, folder).length > 0)
    const run = await runTool('depcruise', ['--output-type', 'json', ...present], tree.root)
    if (!run.stdout.startsWith('{')) throw toolBroke('depcruise', run)
    const { modules, summary } = JSON.parse(run.stdout) as Cruise
    const seen = new Set(modules.map((module) => module.source))
    const examined = cruised(tree).filter((file) => seen.has(file)).length
    return { examined, unit: 'modules', faults: summary.violations.map(describe) }
  },
}

const describe = ({ rule, from, to, cycle, via }: Violation): string => {
  const path = (via ?? cycle ?? []).map((step) => step.name)
  if (path.length > 0) return `${rule.name}: ${[from, ...path].join(' → ')}`
  return from === to ? `${rule.name}: ${from}` : `${rule.name}: ${from} → ${to}`
}
