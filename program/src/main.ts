import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands';
import { ConfigurationError } from '../../cli/configuration';
import { VERSIONS } from '../../init/src/versions';

const NAME = 'cdk8s-hosted-control-plane';
/** Exit code for a wrong command line or a file that cannot be used. */
const WRONG_USAGE = 2;

/** The command of the package. */
async function main(): Promise<void> {
  const program = new Command(NAME)
    .description('Makes hosted control planes reachable behind one shared address, and looks whether they are.')
    .version(VERSIONS.library, '--version', 'the version of the package');
  for (const { summary, module } of COMMANDS) {
    program.addCommand(module().summary(summary).exitOverride());
  }
  sayWhereHelpIs(program, NAME);
  try {
    await program.exitOverride().parseAsync();
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE);
    process.stderr.write(`${COMMANDS.find(({ name }) => name === process.argv[2])?.name ?? NAME}: ${(error as Error).message}\n`);
    process.exit(error instanceof ConfigurationError ? WRONG_USAGE : 1);
  }
}

/** What is wrong with a command line is told in a line; what would be right is in the help of the command. */
function sayWhereHelpIs(command: Command, words: string): void {
  command.showHelpAfterError(`See ${words} --help`);
  command.commands.forEach(each => sayWhereHelpIs(each, `${words} ${each.name()}`));
}

void main();
