import type { Command } from 'commander';
import { REGISTER } from '../../../../src/agent/contract/commands';
import { parserOf } from '../cli/command';

/** `tcp-proxy register`. */
export function registerCommand(): Command {
  return parserOf(REGISTER).action(async values => {
    const { registerConfiguration } = await import('./configuration');
    const configuration = registerConfiguration(values);
    const { register } = await import('./register');
    await register(configuration);
  });
}
