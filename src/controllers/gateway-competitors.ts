import { Competitor, items, PortCompetitor } from './competitors';
import { GATEWAY_GROUP, GatewayRef } from './gateway-ref';

/** The kinds by which somebody takes a host, or a port, at a Gateway. */
export const GATEWAY_COMPETITORS = ['Gateway', 'ListenerSet', 'TLSRoute', 'TCPRoute'].map(kind => `${GATEWAY_GROUP} ${kind}`);

/** A listener of the Gateway that opens TLS for the very host, also in a ListenerSet, or another TLSRoute there: the oldest has the host. */
export function gatewayCompetitor(manifest: any, gateway: GatewayRef): Competitor | undefined {
  const { kind, spec } = manifest;
  const hosts = !attaches(manifest, gateway) ? [] : kind === 'TLSRoute' ? items(spec?.hostnames)
    : items(spec?.listeners).filter(opensTls).map(({ hostname }) => hostname);
  return hosts.length > 0 ? ({ hostname }) => hosts.includes(hostname) : undefined;
}

/**
 * A TCPRoute at the listener of the port, or a ListenerSet with the port: the oldest has it.
 *
 * @param listenerOf name of the listener of a port
 */
export function gatewayPortCompetitor(manifest: any, gateway: GatewayRef, listenerOf: (port: number) => string): PortCompetitor {
  const { kind, metadata, spec } = manifest;
  if (kind === 'ListenerSet') {
    return port => attaches(manifest, gateway) && items(spec?.listeners).some(listener => listener.port === port);
  }
  const parents = kind === 'TCPRoute' ? items(spec?.parentRefs).filter(parent => isGateway(parent, metadata, gateway)) : [];
  return port => parents.some(parent => parent.port === port || parent.sectionName === listenerOf(port));
}

/** Whether it is the Gateway itself, or has it as a parent. */
function attaches({ kind, metadata, spec }: any, gateway: GatewayRef): boolean {
  switch (kind) {
    case 'Gateway': return metadata?.name === gateway.name && metadata?.namespace === gateway.namespace;
    case 'ListenerSet': return isGateway(spec?.parentRef ?? {}, metadata, gateway);
    default: return items(spec?.parentRefs).some(parent => isGateway(parent, metadata, gateway));
  }
}

function isGateway({ kind = 'Gateway', name, namespace }: any, metadata: any, gateway: GatewayRef): boolean {
  return kind === 'Gateway' && name === gateway.name && (namespace ?? metadata?.namespace) === gateway.namespace;
}

function opensTls({ protocol, tls }: any): boolean {
  return protocol === 'HTTPS' || (protocol === 'TLS' && tls?.mode !== 'Passthrough');
}
