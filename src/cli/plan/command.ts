import { type Command, Option } from 'commander'
import { eachNamespace, namespaceName } from '../namespace-name.ts'
import { without } from '../without.ts'
import type { PlanOptions } from './plan.ts'

const examples = `
Examples:
  holdfast plan                         everything that the operator would do now
  holdfast plan lca/biller              for one agent; any name that kubectl knows the kind by
  holdfast plan KIND/NAMESPACE/NAME     for one object in a namespace
  holdfast plan -o json | jq '.objects[] | select(.steps != [])'

Exit codes: 0 nothing to do, 1 something to do, 2 it could not be found out, 4 no such kind or object, 5 not allowed,
7 the kind is not installed.`

/** `holdfast plan`. */
export const addPlan = (program: Command): void => {
  program
    .command('plan')
    .description('say what the operator would do now, and why; nothing is written')
    .argument('[KIND[/NAME]]', 'only for objects of this kind, or for one of them')
    .option('-n, --namespace <name>', 'only for objects in this namespace, where they are in one', namespaceName)
    .option(
      '--operator-namespace <name>',
      'plan as the operator in this namespace; else the one that has claimed the objects',
      namespaceName,
    )
    .option('--watch-namespace <name>', 'as the operator was told; may be given again', eachNamespace)
    .addOption(without('as the operator was told'))
    .option('--adopt-labelled', 'as the operator was told', false)
    .option('--kubeconfig <file>', 'how to reach the cluster; else as kubectl does')
    .option('--context <name>', 'the context of the kubeconfig to take; else its current one')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['json']))
    .addHelpText('after', examples)
    .action(async (target: string | undefined, options: PlanOptions) => {
      const { runPlan } = await import('./plan.ts')
      process.exitCode = await runPlan(target, options)
    })
}
