import * as z from 'zod/mini';
import { parseConfiguration } from '../../../../cli/configuration';
import { duration, healthAddresses, ipAddress, logLevel, path, port } from '../../../../cli/values';

/** A Unix socket's path has at most 107 bytes, and HAProxy appends a suffix while it binds. */
const LONGEST_RUN_DIR = 70;

const process = z.object({
  haproxyConfig: path('the configuration file of HAProxy'),
  haproxyBinary: path('the HAProxy program'),
  runDir: path('a writable folder').check(z.maxLength(LONGEST_RUN_DIR, `is too long for the sockets in it, choose at most ${LONGEST_RUN_DIR} characters`)),
  tlsDir: path('the folder with tls.crt and tls.key'),
  caFile: path('the file with the tenant CA'),
  servingName: z._default(z.array(z.string().check(z.regex(/^[a-z0-9.:-]{1,253}$/, 'is not a DNS name or an address'))), ['kubernetes.default.svc']),
  healthAddress: healthAddresses,
  propagationDelay: duration,
  gracePeriod: duration,
  logLevel,
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

export type EndpointsConfiguration = z.output<typeof endpoints>;

export type ServeConfiguration = z.output<typeof process> & {
  /** How to own `default/kubernetes`; undefined when somebody else does. */
  readonly endpoints?: EndpointsConfiguration;
};

/** @throws ConfigurationError */
export function serveConfiguration(values: Record<string, unknown>): ServeConfiguration {
  const { endpoints: mode } = parseConfiguration(
    z.object({ endpoints: z.enum(['owned', 'none'], 'is not a way to handle default/kubernetes, choose owned or none') }),
    values,
  );
  if (mode === 'none') return parseConfiguration(process, values);
  const all = parseConfiguration(z.extend(process, endpoints.shape), values);
  return { ...all, endpoints: all };
}

function isApiServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  // The proxy behind these names is this one: it cannot wait for itself.
  return protocol === 'https:' && pathname === '/' && !/^kubernetes(\.default(\.svc(\..*)?)?)?$/.test(hostname);
}
