import { Command, CommanderError } from 'commander';
import { addressCommand } from './address/command';
import { gatewayCommand } from './gateway/command';
import { registerCommand } from './register/command';
import { serveCommand } from './serve/command';
import { syncCommand } from './sync/command';
import { ConfigurationError } from '../../../cli/configuration';
import { doctorCommand } from '../../../doctor/src/command';

/** Exit code for a wrong command line, environment or configuration file. */
const WRONG_CONFIGURATION = 2;

async function main(): Promise<void> {
  const program = new Command('tcp-proxy')
    .description('Makes kubernetes.default.svc work in a cluster whose control plane is behind a shared ingress.')
    .addHelpText('after', '\nEvery flag, except those of doctor, can also be set in the environment: --run-dir is TCP_PROXY_RUN_DIR.');
  for (const command of [serveCommand(), gatewayCommand(), addressCommand(), syncCommand(), registerCommand(), doctorCommand()]) {
    program.addCommand(command.exitOverride());
  }
  try {
    await program.exitOverride().parseAsync();
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : WRONG_CONFIGURATION);
    process.stderr.write(`tcp-proxy: ${(error as Error).message}\n`);
    process.exit(error instanceof ConfigurationError ? WRONG_CONFIGURATION : 1);
  }
}

void main();
