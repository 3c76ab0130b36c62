import type { Finding, Gate } from './gate.ts'
import type { Tree } from './tree.ts'

export interface Verdict {
  readonly gate: string
  readonly passed: boolean
  readonly examined: string
  readonly faults: readonly string[]
  readonly seconds: number
}

export const judge = async (gate: Gate, tree: Tree): Promise<Verdict> => {
  const start = performance.now()
  const { examined, faults } = await gate.examine(tree).then((finding) => weigh(finding, gate.floor(tree)), crashed)
  return { gate: gate.name, passed: faults.length === 0, examined, faults, seconds: (performance.now() - start) / 1000 }
}

const weigh = (finding: Finding, floor: number): Pick<Verdict, 'examined' | 'faults'> => {
  const examined = `${finding.examined} ${finding.unit}`
  if (finding.examined >= floor) return { examined, faults: finding.faults }
  return { examined, faults: [`examined only ${examined}, expected at least ${floor}`, ...finding.faults] }
}

const crashed = (error: unknown): Pick<Verdict, 'examined' | 'faults'> => ({
  examined: 'nothing',
  faults: [error instanceof Error ? error.message : String(error)],
})
