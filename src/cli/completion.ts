import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { allControllers } from '../controllers/all.ts'

/** Prints the script that a shell sources; it asks this program for its completions. */
export const printScript = (program: Command, shell: string): void => {
  // A plugin's name has a space where the file's has a dash.
  const executable = program.name().replace(' ', '-')
  completionsOf(program).setup(executable, executable, shell)
}

/** Prints what may follow these words, the last of which is being typed. */
export const printCompletions = (program: Command, words: readonly string[]): void => {
  completionsOf(program).parse([...words])
}

/** The library adds the two commands for completion itself, so it is given all others. */
const completionsOf = (program: Command) => {
  const others = new Command(program.name())
  for (const command of program.commands) if (!command.name().startsWith('complet')) others.addCommand(command)
  const [target] = program.commands.find((command) => command.name() === 'plan')?.registeredArguments ?? []
  // Only here: `plan` itself takes more than the names that are offered.
  target?.choices(allControllers('').map(({ reconciles }) => reconciles.plural))
  return tab(others, { completionCommandName: 'completion' })
}
