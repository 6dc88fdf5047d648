import { ReportedKubernetesService, ReportedWay } from './report-document';
import { edgeOf, EdgeFacts } from '../model/edge-facts';
import { Endpoint } from '../model/endpoint';
import type { Exposure } from '../model/exposure';
import { TcpProxyFacts, tcpProxyOf } from '../model/tcp-proxy-facts';
import { kubernetesServiceWay } from '../model/tenant-paths';

type Way = 'tcp-proxy' | 'port' | 'ipv6-address' | 'host-injection' | 'none';
/** A tunnel is a tcp-proxy with another upstream. */
type Alternative = Way | 'tunnel';

/** What is said of a way, whoever takes it. */
type Said = Pick<ReportedKubernetesService, 'opensTls' | 'apiServerKeys' | 'clientCertificates'>;

const API_SERVER_ALONE = 'the API server alone';
const CLOSED: Said = { opensTls: false, apiServerKeys: API_SERVER_ALONE, clientCertificates: true };
const UNKNOWN: Said = { apiServerKeys: 'not known: this app does not make the tcp-proxy' };
const OPENED: Said = { opensTls: true, apiServerKeys: 'the API server, and whoever has the serving key of the tcp-proxy in the tenant', clientCertificates: false };

/** How pods of a tenant reach the Service `kubernetes`, and what the other ways need. */
export function reportedKubernetesService(exposure: Exposure): ReportedKubernetesService {
  const { kubernetesService: { _kind: way, _reason: reason }, kubernetesEndpoint } = exposure;
  const edge = edgeOf(exposure);
  const proxy = tcpProxyOf(exposure);
  return {
    way,
    description: proxy || way !== 'tcp-proxy' ? description(way, proxy, reason) : kubernetesServiceWay(exposure) ?? 'none',
    endpoints: kubernetesEndpoint?.addresses.map(address => new Endpoint(address, kubernetesEndpoint.port).toString()) ?? [],
    ...saidOf(way, edge, proxy),
    recommended: recommended(exposure, edge),
    alternatives: alternativesTo(proxy?.upstream === 'tunnel' ? 'tunnel' : way, edge).map((other): ReportedWay => ({ way: other, needs: needsOf(other, exposure, edge) })),
  };
}

function description(way: Way, proxy?: TcpProxyFacts, reason?: string): string {
  switch (way) {
    case 'port': return 'a port of the shared address that is the tenant\'s alone';
    case 'ipv6-address': return 'an IPv6 address of the shared edge that is the tenant\'s alone';
    case 'host-injection': return 'the public host, in pods that KubernetesServiceHostInjection changes; others have none';
    case 'none': return `none: ${reason}`;
    case 'tcp-proxy': return `a tcp-proxy in the tenant (${proxy?.upstream})`;
  }
}

function saidOf(way: Way, edge?: EdgeFacts, proxy?: TcpProxyFacts): Said {
  if (way !== 'tcp-proxy') {
    return CLOSED;
  }
  if (proxy === undefined) {
    return edge?.platformProxyPassesTls ? CLOSED : UNKNOWN;
  }
  return proxy.upstream === 'sni' ? OPENED : CLOSED;
}

const ALTERNATIVES: readonly Alternative[] = ['ipv6-address', 'port', 'tcp-proxy', 'tunnel', 'host-injection'];
/** It leads some pods past whatever is there for the others. */
const BESIDE_ANY: Alternative = 'host-injection';

/** Nothing takes the place of proxies that a platform always brings. */
function alternativesTo(way: Alternative, edge?: EdgeFacts): Alternative[] {
  const isFixed = edge?.platformBringsProxy === true && edge.platformProxyProperty === undefined;
  return ALTERNATIVES.filter(other => other !== way && (!isFixed || other === BESIDE_ANY));
}

/** The way that costs and risks least, as far as it is open: an address before a port, and both before a proxy. */
function recommended(exposure: Exposure, edge?: EdgeFacts): Way {
  if (exposure.kubernetesService._kind === 'none') {
    return 'none';
  }
  if (edge?.platformBringsProxy) {
    return 'tcp-proxy';
  }
  if (edge?.addressRange && isIpv6First(exposure)) {
    return 'ipv6-address';
  }
  return edge?.servesPorts ? 'port' : 'tcp-proxy';
}

function needsOf(way: Alternative, exposure: Exposure, edge?: EdgeFacts): string {
  const needs = needsBesideProxies(way, exposure, edge);
  return edge?.platformBringsProxy && way !== BESIDE_ANY ? `the platform without ${edge.platformProxyProperty}, and ${needs}` : needs;
}

function needsBesideProxies(way: Alternative, exposure: Exposure, edge?: EdgeFacts): string {
  const controller = edge?.controller ?? 'the controller';
  switch (way) {
    case 'ipv6-address': {
      const needs = [
        ...isIpv6First(exposure) ? [] : [`a tenant made anew whose Services are IPv6 first (those are ${exposure.serviceCidrs.join(', ')})`],
        ...edge?.addressRange ? [] : ['a SharedIngressGateway with an addressRange that is routed to its nodes'],
      ];
      return needs.length > 0 ? needs.join(', and ') : `nothing more: the gateway has ${edge!.addressRange!.prefix}`;
    }
    case 'port': return edge?.servesPorts
      ? `nothing more than ${edge.portRange ? `one of the ports ${edge.portRange.first} to ${edge.portRange.last}` : 'a port'} of ${controller}, open from the tenant's nodes`
      : `a controller that serves ports, which ${controller} does not here`;
    case 'tcp-proxy': return 'a TcpProxyAddon in the tenant, and nothing at the shared address but its hosts';
    case 'tunnel': return 'a TcpProxyAddon with TcpProxyUpstream.tunnel(), and a SharedIngressGateway with a tunnel behind one host of the shared address';
    case 'host-injection': return 'MutatingAdmissionPolicy in the tenant; leads only the pods that it changes';
    case 'none': return '';
  }
}

function isIpv6First({ serviceCidrs: [first] }: Exposure): boolean {
  return first.includes(':');
}
