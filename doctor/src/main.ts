import { Command, CommanderError } from 'commander';
import { doctorCommand } from './command';
import { ConfigurationError } from '../../cli/configuration';

/** Exit code for a wrong command line or a file that cannot be used. */
const WRONG_USAGE = 2;

/** The doctor as a program of its own, without the agent and what that needs. */
async function main(): Promise<void> {
  const program = new Command()
    .description('Finds what is wrong between a client and a hosted control plane.')
    .addCommand(doctorCommand().exitOverride());
  try {
    await program.exitOverride().parseAsync();
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE);
    process.stderr.write(`doctor: ${(error as Error).message}\n`);
    process.exit(error instanceof ConfigurationError ? WRONG_USAGE : 1);
  }
}

void main();
