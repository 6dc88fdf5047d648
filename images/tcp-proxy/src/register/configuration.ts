import * as z from 'zod/mini';
import { duration } from '../../../../cli/values';
import type { REGISTER } from '../../../../src/agent/contract/commands';
import { healthAddresses, logLevel, managementSettings, parseSettings, path, SettingSchemas } from '../cli/settings';

const schema = z.object({
  registrations: path('the file with the registrations'),
  ...managementSettings,
  interval: duration.check(z.refine((milliseconds: number) => milliseconds > 0, 'leaves no time for a look at the kubeconfigs, write it like 30s')),
  healthAddress: healthAddresses,
  logLevel,
} satisfies SettingSchemas<typeof REGISTER>);

export type RegisterConfiguration = z.output<typeof schema>;

/** @throws ConfigurationError */
export function registerConfiguration(values: Record<string, unknown>): RegisterConfiguration {
  return parseSettings(schema, values);
}
