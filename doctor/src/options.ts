import { isIP } from 'net';
import * as z from 'zod/mini';
import { isHost } from './live/target';
import { ConfigurationError, parseConfiguration } from '../../cli/configuration';
import { duration, port } from '../../cli/values';

const MAX_TIMEOUT_MS = 300_000;
const MAX_CONCURRENCY = 64;

const NOT_A_HOST = 'is not a host name, write it without scheme and port, like tenant-01.k8s.example.com';

const host = z.string().check(z.refine(isHost, NOT_A_HOST));

const hostAndPort = z.pipe(
  z.string().check(z.refine(text => splitHostPort(text) !== undefined, 'is not host:port, write it like gateway.example.com:6443 or [fd00::1]:6443')),
  z.transform((text: string) => splitHostPort(text)!),
);

const tlvType = z.pipe(
  z.string().check(z.refine(text => /^(0x[0-9a-f]{1,2}|\d{1,3})$/i.test(text) && Number(text) <= 255, 'is not a type, write it like 0xE1 or 225')),
  z.transform(Number),
);

const resolver = z.string().check(z.refine(text => isIP(text) !== 0 || isIP(splitHostPort(text)?.host ?? '') !== 0,
  'is not the address of a DNS server, write it like 192.0.2.53 or 127.0.0.1:5353'));

const address = z.string().check(z.refine(text => isIP(text) !== 0, 'is not an IP address, write it like 203.0.113.10'));

const tenant = z.string().check(z.refine(text => /^[^/\s]+\/[^/\s]+$/.test(text), 'is not a tenant, write it like <namespace>/<name>'));

const concurrency = z.pipe(
  z.string().check(z.refine(text => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_CONCURRENCY, `is not a number from 1 to ${MAX_CONCURRENCY}`)),
  z.transform(Number),
);

/** How results are written. */
export const OUTPUTS = ['text', 'json', 'sarif'] as const;

const shared = { output: z.enum(OUTPUTS, 'is not a format, choose text, json or sarif'), color: z.boolean() };

const live = z.object({
  ...shared,
  manifests: z.optional(z.array(z.string())),
  kubeconfig: z.optional(z.string()),
  context: z.optional(z.string()),
  tenant: z.optional(tenant),
  all: z._default(z.boolean(), false),
  concurrency,
  port: z.optional(port),
  caFile: z.optional(z.string()),
  tenantKubeconfig: z.optional(z.string()),
  konnectivityHost: z.optional(host),
  konnectivityPort: z.optional(port),
  gatewayAddress: z.optional(hostAndPort),
  clusterId: z.optional(z.string()),
  tlvType: z.optional(tlvType),
  resolver: z.optional(resolver),
  connectTo: z.optional(address),
  page: z.optional(z.string()),
  report: z.optional(z.string()),
  timeout: z.pipe(duration, z.number().check(z.gte(1, 'is no time'), z.lte(MAX_TIMEOUT_MS, 'is longer than 5 minutes'))),
});

/** Arguments of `doctor live`. */
export type LiveOptions = z.infer<typeof live> & { readonly host?: string };

const offline = z.object(shared);

/** Flags of `doctor manifests`. */
export type OfflineOptions = z.infer<typeof offline>;

const prerequisites = z.object({
  output: z.enum(['text', 'json'], 'is not a format, choose text or json'),
  color: z.boolean(),
  kubeconfig: z.optional(z.string()),
  context: z.optional(z.string()),
});

/** Flags of `doctor prerequisites`. */
export type PrerequisitesOptions = z.infer<typeof prerequisites>;

const move = z.object({
  output: z.enum(['text', 'json'], 'is not a format, choose text or json'),
  color: z.boolean(),
  from: z.string(),
  fromContext: z.optional(z.string()),
  to: z.string(),
  toContext: z.optional(z.string()),
  fromTenant: z.optional(z.string()),
  toTenant: z.optional(z.string()),
});

/** Arguments of `doctor move`. */
export type MoveOptions = z.infer<typeof move> & { readonly namespace: string; readonly name: string };

/** @throws ConfigurationError with every fault, or flags that do not go together */
export function parseMoveOptions(which: string, values: Record<string, unknown>): MoveOptions {
  // They are arguments of kubectl.
  const [, namespace, name] = /^([a-z0-9][a-z0-9-]{0,62})\/([a-z][a-z0-9-]{0,62})$/.exec(which) ?? [];
  if (namespace === undefined) throw new ConfigurationError(`tenant ${JSON.stringify(which)}: is not a tenant, write it like tenants/tenant-01`);
  const options = parseConfiguration(move, values);
  const { from, to, fromContext, toContext, fromTenant, toTenant } = options;
  if (from === to && fromContext === toContext) throw new ConfigurationError('--from and --to are one cluster: give another kubeconfig, or --from-context and --to-context');
  if ((fromTenant === undefined) !== (toTenant === undefined)) throw new ConfigurationError('--from-tenant and --to-tenant are compared with each other: give both, or none');
  return { ...options, namespace, name };
}

/** @throws ConfigurationError with every fault, or flags that do not go together */
export function parsePrerequisitesOptions(values: Record<string, unknown>): PrerequisitesOptions {
  const options = parseConfiguration(prerequisites, values);
  if (options.context !== undefined && options.kubeconfig === undefined) throw new ConfigurationError('--context is of a --kubeconfig: give that too');
  return options;
}

/** @throws ConfigurationError with every fault of the flags, or those that do not go together */
export function parseLiveOptions(name: string | undefined, values: Record<string, unknown>): LiveOptions {
  if (name !== undefined && !isHost(name)) throw new ConfigurationError(`host ${JSON.stringify(name)}: ${NOT_A_HOST}`);
  const options = { ...parseConfiguration(live, values), host: name };
  const { all, manifests, kubeconfig, tenantKubeconfig, context } = options;
  const given = all ? '--all' : options.tenant === undefined ? undefined : '--tenant';
  const refused = (text: string) => new ConfigurationError(text);
  if (manifests !== undefined && kubeconfig !== undefined) throw refused('--manifests and --kubeconfig both say which control planes there are: give one of them');
  if (context !== undefined && kubeconfig === undefined) throw refused('--context is of a --kubeconfig: give that too');
  if (given && manifests === undefined && kubeconfig === undefined) throw refused(`${given} chooses among control planes: give --manifests or --kubeconfig too`);
  if (all && options.tenant !== undefined) throw refused('--all and --tenant: give one of them');
  if (options.report !== undefined && options.page === undefined) throw refused('--report is what a --page also says: give that too');
  if (all && (name !== undefined || tenantKubeconfig !== undefined)) throw refused('--all and one host: give one of them');
  return options;
}

/** @throws ConfigurationError with every fault */
export function parseOfflineOptions(values: Record<string, unknown>): OfflineOptions {
  return parseConfiguration(offline, values);
}

function splitHostPort(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text);
  if (!match) return undefined;
  const [, v6, name, digits] = match;
  const number = Number(digits);
  return number >= 1 && number <= 65535 && isHost(v6 ?? name) ? { host: v6 ?? name, port: number } : undefined;
}
