import { isIP } from 'net';
import * as z from 'zod/mini';
import { parseConfiguration } from '../../../../cli/configuration';
import { duration, healthAddresses, logLevel, path } from '../../../../cli/values';

/** A Unix socket's path has at most 107 bytes, and HAProxy appends a suffix while it binds. */
const LONGEST_RUN_DIR = 70;

const schema = z.object({
  haproxyConfig: path('the configuration file of HAProxy'),
  haproxyBinary: path('the HAProxy program'),
  routesDir: path('the folder with the maps'),
  runDir: path('a writable folder').check(z.maxLength(LONGEST_RUN_DIR, `is too long for the sockets in it, choose at most ${LONGEST_RUN_DIR} characters`)),
  nameserver: z.optional(z.array(z.string().check(z.refine(isNameserver, 'is not a DNS server, write it like 10.96.0.10, 10.96.0.10:5353 or [fd00::a]:53')))),
  resolveInterval: duration,
  resolveDeadline: duration,
  reloadInterval: duration,
  closeRemoved: z.union([z.boolean(), z.pipe(z.string(), z.transform((text: string) => text !== 'false'))]),
  healthAddress: healthAddresses,
  propagationDelay: duration,
  gracePeriod: duration,
  logLevel,
});

export type GatewayConfiguration = z.output<typeof schema>;

/** @throws ConfigurationError */
export function gatewayConfiguration(values: Record<string, unknown>): GatewayConfiguration {
  return parseConfiguration(schema, values);
}

function isNameserver(text: string): boolean {
  const match = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? /^([^:]+)(?::\d{1,5})?$/.exec(text);
  return isIP(text) !== 0 || (match !== null && isIP(match[1]) !== 0);
}
