import type { Command } from 'commander';
import { GATEWAY } from '../../../../src/agent/contract/commands';
import { parserOf } from '../cli/command';

/** `tcp-proxy gateway`. */
export function gatewayCommand(): Command {
  return parserOf(GATEWAY).action(async values => {
    const { gatewayConfiguration } = await import('./configuration');
    const configuration = gatewayConfiguration(values);
    const { gateway } = await import('./gateway');
    await gateway(configuration);
  });
}
