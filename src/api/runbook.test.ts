import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agentReasons, otherAgentReasons } from './ledgerclusteragent.ts'
import { otherServiceReasons, serviceReasons } from './ledgerservice.ts'

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
const entries = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, reason]) => reason)

// What the runtime says of any kind: of a pass that could not finish, and of one that somebody held back.
const runtimeReasons = ['ReadFailed', 'WriteFailed', 'PassFailed', 'Paused', 'AskedFor']

test('every reason has its entry in the runbook, and every entry its reason', () => {
  const ofAgents = [...agentReasons, ...otherAgentReasons]
  const ofServices = [...serviceReasons, ...otherServiceReasons]
  expect(entries.sort()).toEqual([...new Set([...ofAgents, ...ofServices, ...runtimeReasons])].sort())
})
