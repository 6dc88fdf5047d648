import * as z from 'zod/mini';
import { ipAddress, port } from '../../../../cli/values';
import { SERVE } from '../../../../src/agent/contract/commands';
import { haproxySettings, parseSettings, path, SettingSchemas } from '../cli/settings';

const process = z.object({
  ...haproxySettings,
  tlsDir: path('the folder with tls.crt and tls.key'),
  tunnelDir: z.optional(path('the folder with the client certificate of the tunnel')),
  caFile: path('the file with the tenant CA'),
  servingName: z._default(z.array(z.string().check(z.regex(/^[a-z0-9.:-]{1,253}$/, 'is not a DNS name or an address'))), () => [...SERVE.flags.servingName.default]),
});

const endpoints = z.object({
  apiServer: z.string('give the API server as https://host:port').check(z.refine(isApiServer, 'is not https://host:port, or is a name that works only through this proxy')),
  tokenFile: path('the service account token'),
  endpointPort: port,
  advertiseAddress: z.optional(z.array(ipAddress)),
  namespace: z.string('give the namespace of this pod'),
  podName: z.string('give the name of this pod'),
  hostIps: z.array(ipAddress, 'give the addresses of the node, separated by commas'),
  podSelector: z.string(),
});

const mode = z.object({ endpoints: z.enum(['owned', 'none'], 'is not a way to handle default/kubernetes, choose owned or none') });

const all = z.object({ ...process.shape, ...endpoints.shape, ...mode.shape } satisfies SettingSchemas<typeof SERVE>);

export type EndpointsConfiguration = z.output<typeof endpoints>;

export type ServeConfiguration = z.output<typeof process> & {
  /** How to own `default/kubernetes`; undefined when somebody else does. */
  readonly endpoints?: EndpointsConfiguration;
};

/** @throws ConfigurationError */
export function serveConfiguration(values: Record<string, unknown>): ServeConfiguration {
  const { endpoints: way } = parseSettings(mode, values);
  if (way === 'none') return parseSettings(process, values);
  const configuration = parseSettings(all, values);
  return { ...configuration, endpoints: configuration };
}

function isApiServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  // The proxy behind these names is this one: it cannot wait for itself.
  return protocol === 'https:' && pathname === '/' && !/^kubernetes(\.default(\.svc(\..*)?)?)?$/.test(hostname);
}
