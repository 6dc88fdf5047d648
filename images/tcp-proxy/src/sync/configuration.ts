import * as z from 'zod/mini';
import { duration } from '../../../../cli/values';
import { MOST_CONCURRENCY, SYNC } from '../../../../src/agent/contract/commands';
import { healthAddresses, logLevel, managementSettings, objectName, onOff, parseSettings, path, SettingSchemas } from '../cli/settings';

const schema = z.object({
  namespace: objectName('the namespace of this pod'),
  podName: objectName('the name of this pod'),
  ...managementSettings,
  leaseName: objectName('the Lease'),
  resyncInterval: positive('check of a tenant', '60m'),
  secretsInterval: positive('look at the Secrets', '15m'),
  concurrency: z.pipe(
    z.string().check(z.refine(isConcurrency, `is not a number from 1 to ${MOST_CONCURRENCY}, write it like 16`)),
    z.transform(Number),
  ),
  requestTimeout: positive('request', '10s'),
  caSettleTime: duration,
  caOverlap: duration,
  certificatesOnly: onOff,
  visitsFile: z.optional(path('the file that says after a crash who was being visited')),
  healthAddress: healthAddresses,
  logLevel,
} satisfies SettingSchemas<typeof SYNC>);

export type SyncConfiguration = z.output<typeof schema>;

/** @throws ConfigurationError */
export function syncConfiguration(values: Record<string, unknown>): SyncConfiguration {
  return parseSettings(schema, values);
}

function positive(what: string, example: string) {
  return duration.check(z.refine((milliseconds: number) => milliseconds > 0, `leaves no time for a ${what}, write it like ${example}`));
}

function isConcurrency(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_CONCURRENCY;
}
