import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Gate } from './check/gate.ts'
import { readTree, type Tree, typescriptFiles } from './check/tree.ts'
import { judge, type Verdict } from './check/verdict.ts'
import { gates } from './gates/all.ts'
import { checkReport } from './report-files.ts'

// usage: node tools/check.ts [--root DIR] [--only GATE[,GATE]]
const { values } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '..') }, only: { type: 'string' } },
})

/** The heavy gates are single-threaded: two at a time fill a small machine without starving it. */
const atOnce = 2

const chosenGates = (only: string | undefined): readonly Gate[] => {
  if (only === undefined) return gates
  return only.split(',').map((name) => {
    const gate = gates.find((candidate) => candidate.name === name)
    if (gate === undefined)
      throw new Error(`no gate ${name}; there are: ${gates.map((known) => known.name).join(', ')}`)
    return gate
  })
}

const print = ({ gate, passed, examined, faults, seconds }: Verdict): void => {
  const line = `${gate.padEnd(12)} ${examined.padEnd(28)} ${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`
  const details = faults.flatMap((fault) => fault.split('\n')).map((fault) => `    ${fault}\n`)
  process.stdout.write(`${line}\n${details.join('')}`)
}

const judgeAll = async (tree: Tree, chosen: readonly Gate[]): Promise<readonly Verdict[]> => {
  const waiting = [...chosen]
  const verdicts: Verdict[] = []
  const worker = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const verdict = await judge(gate, tree)
      print(verdict)
      verdicts.push(verdict)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return verdicts
}

const main = async (): Promise<void> => {
  const tree = readTree(values.root)
  if (typescriptFiles(tree, 'src').length === 0) throw new Error(`no TypeScript under ${join(tree.root, 'src')}`)
  const verdicts = await judgeAll(tree, chosenGates(values.only))
  const report = join(tree.root, checkReport)
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify(verdicts, undefined, 2))
  if (verdicts.some((verdict) => !verdict.passed)) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
