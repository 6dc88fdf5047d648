import { isIP } from 'net';
import * as z from 'zod/mini';
import { ConfigurationError, parseConfiguration } from '../../cli/configuration';
import { duration, port } from '../../cli/values';

const MAX_TIMEOUT_MS = 300_000;

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

const output = z.enum(['text', 'json'], 'is not a format, choose text or json');

const live = z.object({
  port: z.optional(port),
  caFile: z.optional(z.string()),
  kubeconfig: z.optional(z.string()),
  manifests: z.optional(z.string()),
  konnectivityHost: z.optional(host),
  konnectivityPort: z.optional(port),
  gatewayAddress: z.optional(hostAndPort),
  clusterId: z.optional(z.string()),
  tlvType: z.optional(tlvType),
  resolver: z.optional(resolver),
  connectTo: z.optional(address),
  timeout: z.pipe(duration, z.number().check(z.gte(1), z.lte(MAX_TIMEOUT_MS, 'is longer than 5 minutes'))),
  output,
  color: z.boolean(),
});

/** Flags of `doctor <host>`. */
export type LiveOptions = z.infer<typeof live> & { readonly host?: string };

const offline = z.object({ output, color: z.boolean() });

/** Flags of `doctor manifests`. */
export type OfflineOptions = z.infer<typeof offline>;

/** @throws ConfigurationError with every fault of the flags, or that of the host */
export function parseLiveOptions(name: string | undefined, values: Record<string, unknown>): LiveOptions {
  if (name !== undefined && !isHost(name)) throw new ConfigurationError(`host ${JSON.stringify(name)}: ${NOT_A_HOST}`);
  return { ...parseConfiguration(live, values), host: name };
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

function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text));
}
