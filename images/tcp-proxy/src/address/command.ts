import type { Command } from 'commander';
import { ADDRESS } from '../../../../src/agent/contract/commands';
import { parserOf } from '../cli/command';

/** `tcp-proxy address`. */
export function addressCommand(): Command {
  return parserOf(ADDRESS).action(async values => {
    const { addressConfiguration } = await import('./configuration');
    const configuration = addressConfiguration(values);
    const { keepAddresses } = await import('./keep-addresses');
    await keepAddresses(configuration);
  });
}
