import { isIP } from 'net';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../../../cli/configuration';
import { duration } from '../../../../cli/values';
import type { GATEWAY } from '../../../../src/agent/contract/commands';
import { haproxySettings, managementSettings, objectName, onOff, parseSettings, path, SettingSchemas } from '../cli/settings';

const schema = z.object({
  ...haproxySettings,
  routesDir: path('the folder with the maps'),
  tunnelDir: z.optional(path('the folder with the certificate of the end of tunnels')),
  routeConfigMap: z._default(z.array(objectName('a ConfigMap with routes')), []),
  namespace: z.optional(objectName('the namespace of the ConfigMaps with routes')),
  ...managementSettings,
  nameserver: z.optional(z.array(z.string().check(z.refine(isNameserver, 'is not a DNS server, write it like 10.96.0.10, 10.96.0.10:5353 or [fd00::a]:53')))),
  resolveInterval: duration,
  resolveDeadline: duration,
  reloadInterval: duration,
  closeRemoved: onOff,
} satisfies SettingSchemas<typeof GATEWAY>);

export type GatewayConfiguration = z.output<typeof schema>;

/** @throws ConfigurationError */
export function gatewayConfiguration(values: Record<string, unknown>): GatewayConfiguration {
  const configuration = parseSettings(schema, values);
  if (configuration.routeConfigMap.length > 0 && configuration.namespace === undefined) {
    throw new ConfigurationError('--namespace: is not given, name the namespace of the ConfigMaps with routes');
  }
  return configuration;
}

function isNameserver(text: string): boolean {
  const match = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? /^([^:]+)(?::\d{1,5})?$/.exec(text);
  return isIP(text) !== 0 || (match !== null && isIP(match[1]) !== 0);
}
