import { Yaml } from 'cdk8s';
import { parentOf } from './dns-name';
import { TenantDns } from './tenant-dns';
import { API_ROUTE } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';

/** Paths and the port inside cloudflared's container. */
export const CLOUDFLARED = {
  configFolder: '/etc/cloudflared/config',
  credentialsFolder: '/etc/cloudflared/credentials',
  caFolder: '/etc/cloudflared/ca',
  metricsPort: 2000,
};

/** Everything that cloudflared's configuration depends on. */
export interface CloudflaredConfigOptions {
  readonly dns: TenantDns;
  readonly ingressHost: string;
  /** Whether Cloudflare opens the TLS of API hosts. */
  readonly opensApiTls: boolean;
  readonly credentialsKey: string;
  readonly caKey: string;
}

interface IngressRule {
  readonly hostname?: string;
  readonly service: string;
  readonly originRequest?: { readonly [key: string]: string };
}

/** The configuration file of a locally managed tunnel. */
export function cloudflaredConfig(options: CloudflaredConfigOptions): string {
  return Yaml.stringify({
    'tunnel': options.dns.target.tunnelId,
    'credentials-file': `${CLOUDFLARED.credentialsFolder}/${options.credentialsKey}`,
    // Without a host it listens on both address families.
    'metrics': `:${CLOUDFLARED.metricsPort}`,
    'no-autoupdate': true,
    'edge-ip-version': 'auto',
    'ingress': ingressRules(options),
  });
}

/** cloudflared takes the first rule that matches, so that hosts come before the wildcards over them. */
function ingressRules(options: CloudflaredConfigOptions): IngressRule[] {
  const { dns, opensApiTls } = options;
  const exact: IngressRule[] = [];
  const wildcards: IngressRule[] = [];
  const byHost = routesByHost(dns);
  const single = [...byHost].filter(([host]) => !dns._tree.get(host));
  for (const name of dns.names.filter(other => dns._tree.get(other) === dns.target)) {
    if (!name.startsWith('*.')) {
      const route = byHost.get(name);
      if (route) {
        exact.push(ingressRule(options, name, route));
      }
      continue;
    }
    const covered = single.filter(([host]) => parentOf(host) === name.slice(2)).map(([, route]) => route);
    const [first] = covered;
    if (first && covered.every(route => route.port === first.port && !(opensApiTls && route.name === API_ROUTE))) {
      wildcards.push(ingressRule(options, name, first));
    } else {
      // One rule cannot say two ports, nor the name that each certificate must carry.
      exact.push(...covered.map(route => ingressRule(options, route.hostname, route)));
    }
  }
  const byHostname = (a: IngressRule, b: IngressRule) => a.hostname! < b.hostname! ? -1 : 1;
  const byDepth = (a: IngressRule, b: IngressRule) => b.hostname!.split('.').length - a.hostname!.split('.').length || byHostname(a, b);
  return [...exact.sort(byHostname), ...wildcards.sort(byDepth), { service: 'http_status:404' }];
}

function ingressRule({ ingressHost, opensApiTls, caKey }: CloudflaredConfigOptions, hostname: string, { name, port }: PassthroughRoute): IngressRule {
  const address = `${ipFamily(ingressHost) === 'ipv6' ? `[${ingressHost}]` : ingressHost}:${port}`;
  return opensApiTls && name === API_ROUTE
    ? { hostname, service: `https://${address}`, originRequest: { originServerName: hostname, caPool: `${CLOUDFLARED.caFolder}/${caKey}` } }
    : { hostname, service: `tcp://${address}` };
}

function routesByHost(dns: TenantDns): Map<string, PassthroughRoute> {
  const byHost = new Map<string, PassthroughRoute>();
  for (const route of dns.routes) {
    const other = byHost.get(route.hostname);
    if (other && other.port !== route.port) {
      throw invalidInput(`host of ${route.name}`, route.hostname, `is also that of ${other.name}, on port ${other.port} instead of ${route.port}; ` +
        'a Cloudflare Tunnel leads a host to one port', `Give ${route.name} a host of its own`);
    }
    byHost.set(route.hostname, other ?? route);
  }
  return byHost;
}
