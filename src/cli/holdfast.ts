#!/usr/bin/env node
import { Command } from 'commander'

// Commands are loaded when they are called, so that help and version answer at once.
const program = new Command('holdfast').description('Keeps what a platform has handed out working.').version('0.1.0')

program
  .command('operator')
  .description('run the controllers against a cluster')
  .option('--kubeconfig <file>', 'how to reach the cluster, when not as the pod that it runs in')
  .action(async ({ kubeconfig }: { kubeconfig?: string }) => {
    const { runOperator } = await import('./operator.ts')
    await runOperator(kubeconfig)
  })

program
  .command('dev')
  .description('start a local control plane with the operator and a sample fleet')
  .option('--exit-when-ready', 'clean up and exit once everything is ready', false)
  .action(async ({ exitWhenReady }: { exitWhenReady: boolean }) => {
    const { runDev } = await import('./dev.ts')
    await runDev({ exitWhenReady })
  })

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`holdfast: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
