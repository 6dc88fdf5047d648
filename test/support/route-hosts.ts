import { SynthesizedPlatform } from '../../src';

/**
 * The SNI hosts of all routes of manifests, whoever makes them: a host that two routes have is there twice.
 *
 * @param unserved hosts whose routes by an operator nobody serves
 */
export function routedHosts(manifests: any[], unserved: string[] = []): string[] {
  const routes = SynthesizedPlatform.ofManifests(manifests).routes()
    .filter(({ byOperator, hostname }) => !byOperator || !unserved.includes(hostname));
  return [...routes.map(({ hostname }) => hostname), ...manifests.flatMap(plainHosts)];
}

/** Of the controller in plain.ts, whose routes nobody else can read. */
function plainHosts({ kind, data }: any): string[] {
  return kind === 'ConfigMap' && data.host ? [data.host] : [];
}

/** The ports of the shared address that a manifest leads to one tenant each. */
export function routePorts({ kind, metadata, spec, data }: any): number[] {
  const ofName = (name: string) => /^port-(\d+)$/.exec(name)?.slice(1).map(Number) ?? [];
  switch (kind) {
    case 'ConfigMap': return [...(data['ports.map'] ?? '').matchAll(/^(\d+) /gm)].map(match => Number(match[1]));
    case 'IngressRouteTCP': return spec.routes[0].match === 'HostSNI(`*`)' ? spec.entryPoints.flatMap(ofName) : [];
    case 'TransportServer': return ofName(spec.listener.name);
    case 'Ingress': return [metadata.annotations?.['haproxy-ingress.github.io/tcp-service-port']].filter(Boolean).map(Number);
    case 'TCPRoute': return spec.parentRefs.flatMap(({ sectionName }: any) => ofName(sectionName));
    case 'ListenerSet': return spec.listeners.map(({ port }: any) => port);
    case 'VirtualService': return (spec.tcp ?? []).map(({ match }: any) => match[0].port);
    default: return [];
  }
}
