import { Command } from 'commander';
import { listOption, option } from '../../../../cli/configuration';

/** `tcp-proxy address`: the flags and their defaults. */
export function addressCommand(): Command {
  return new Command('address')
    .description('Add the advertise address to a dummy device of the node, and keep it there. Needs NET_ADMIN in the host network.')
    .addOption(listOption('--advertise-address <ip...>', 'address to add, as /32 or /128 (repeatable)'))
    .addOption(option('--device <name>', 'the dummy device', 'tcp-proxy0'))
    .addOption(option('--interval <duration>', 'how often to add it again if something removed it', '60s'))
    .addOption(option('--once', 'add it and exit'))
    .addOption(option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent', 'info'))
    .action(async values => {
      const { addressConfiguration } = await import('./configuration');
      const configuration = addressConfiguration(values);
      const { keepAddresses } = await import('./keep-addresses');
      await keepAddresses(configuration);
    });
}
