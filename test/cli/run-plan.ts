import { inject } from 'vitest'
import type { Suite } from '../kit/suite.ts'
import { runHoldfast } from './run.ts'

/** Runs `holdfast plan` as the owner of this kubeconfig. */
export const planWith = (kubeconfig: string, ...args: readonly string[]) => planIn({}, kubeconfig, ...args)

/** The same, with these variables. */
export const planIn = async (env: Readonly<Record<string, string>>, kubeconfig: string, ...args: readonly string[]) => {
  const { exit, stdout, stderr } = runHoldfast(['plan', '--kubeconfig', kubeconfig, ...args], env)
  const [code] = await exit
  return { code, stdout: await stdout, stderr: await stderr }
}

export const plan = (...args: readonly string[]) => planWith(inject('kubeconfig'), ...args)

/** The plan for the suite's agent, with the names of this run masked. */
export const planFor = async (suite: Suite, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await plan(`lca/${suite.agentName}`, ...args)
  const mask = (text: string) => text.replaceAll(suite.id, '*').replaceAll(/\b[0-9a-f]{64}\b/g, '#')
  return { code, stdout: mask(stdout), stderr: mask(stderr) }
}
