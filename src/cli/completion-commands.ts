import { Argument, type Command } from 'commander'

/** Adds the command that prints a shell's script, and the one that the script asks. */
export const addCompletion = (program: Command, complete: (words: readonly string[]) => Promise<void>): void => {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: string) => {
      const { printScript } = await import('./completion.ts')
      printScript(program, shell)
    })
  program
    .command('complete', { hidden: true })
    .description('what the script asks')
    .argument('[words...]')
    .action(complete)
}
