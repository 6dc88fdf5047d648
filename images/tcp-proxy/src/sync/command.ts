import type { Command } from 'commander';
import { SYNC } from '../../../../src/agent/contract/commands';
import { parserOf } from '../cli/command';

/** `tcp-proxy sync`. */
export function syncCommand(): Command {
  return parserOf(SYNC).action(async values => {
    const { syncConfiguration } = await import('./configuration');
    const configuration = syncConfiguration(values);
    const { sync } = await import('./sync');
    await sync(configuration);
  });
}
