import type { Command } from 'commander';
import { SERVE } from '../../../../src/agent/contract/commands';
import { parserOf } from '../cli/command';

/** `tcp-proxy serve`. */
export function serveCommand(): Command {
  return parserOf(SERVE).action(async values => {
    const { serveConfiguration } = await import('./configuration');
    const configuration = serveConfiguration(values);
    const { serve } = await import('./serve');
    await serve(configuration);
  });
}
