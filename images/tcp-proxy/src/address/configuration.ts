import * as z from 'zod/mini';
import { duration, ipAddress, ipv6Network } from '../../../../cli/values';
import type { ADDRESS } from '../../../../src/agent/contract/commands';
import { logLevel, onOff, parseSettings, SettingSchemas } from '../cli/settings';

const settings = z.object({
  advertiseAddress: z.optional(z.array(ipAddress)),
  localNetwork: z.optional(z.array(ipv6Network)),
  device: z.string().check(
    z.regex(/^[a-zA-Z][a-zA-Z0-9._-]{0,14}$/, 'is not a name for a network device, choose at most 15 letters and digits'),
    // Cilium ignores addresses on lo, and they become source addresses of the node's own traffic.
    z.refine(name => name !== 'lo', 'cannot hold the address, choose a dummy device of its own'),
  ),
  interval: duration,
  once: onOff,
  logLevel,
} satisfies SettingSchemas<typeof ADDRESS>);

const schema = settings.check(z.refine(
  ({ advertiseAddress = [], localNetwork = [] }) => advertiseAddress.length + localNetwork.length > 0,
  { path: ['advertiseAddress'], error: 'give at least one address, or a --local-network' },
));

export type AddressConfiguration = z.output<typeof schema>;

/** @throws ConfigurationError */
export function addressConfiguration(values: Record<string, unknown>): AddressConfiguration {
  return parseSettings(schema, values);
}
