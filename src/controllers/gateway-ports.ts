import { GATEWAY_GROUP, GatewayRef, parentRef } from './gateway-ref';
import type { TcpRouteVersion } from './gateway-route-options';
import type { PortBindOptions } from './ingress-controller';
import { routeMetadata } from './route-object';
import type { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';

/** What a TCPRoute attaches to. */
export interface PortParent {
  readonly kind: 'Gateway' | 'ListenerSet';
  readonly name: string;
  readonly namespace: string;
  readonly sectionName: string;
}

/** A TCPRoute that leads the port of a tenant to its API server. */
export function tcpRoute(options: PortBindOptions, name: string, version: TcpRouteVersion, parent: PortParent): any {
  const { exposure, route } = options;
  return {
    apiVersion: `${GATEWAY_GROUP}/${version}`,
    kind: 'TCPRoute',
    metadata: { ...routeMetadata(options, route), name },
    spec: {
      parentRefs: [{ group: GATEWAY_GROUP, ...parent }],
      rules: [{ backendRefs: [serviceRef(exposure, route)] }],
    },
  };
}

/**
 * The listener for the port of a tenant, in an object of the tenant's own: it comes and goes with the tenant, and a Gateway has more than its 64
 * listeners so. It takes the tenant's TCPRoute alone.
 */
export function listenerSet(options: PortBindOptions, gateway: GatewayRef): { readonly manifest: any; readonly parent: PortParent } {
  const { route } = options;
  const metadata = routeMetadata(options, route);
  return {
    manifest: {
      apiVersion: `${GATEWAY_GROUP}/v1`,
      kind: 'ListenerSet',
      metadata,
      spec: {
        parentRef: parentRef(gateway),
        listeners: [{
          name: route.name,
          port: route.port,
          protocol: 'TCP',
          allowedRoutes: { kinds: [{ group: GATEWAY_GROUP, kind: 'TCPRoute' }], namespaces: { from: 'Same' } },
        }],
      },
    },
    parent: { kind: 'ListenerSet', name: metadata.name!, namespace: metadata.namespace!, sectionName: route.name },
  };
}

/** A Service as a route refers to it. */
export function serviceRef(exposure: Exposure, { serviceName: name, serviceNamespace: namespace, servicePort: port }: PassthroughRoute) {
  return namespace === exposure.namespace ? { name, port } : { name, port, namespace };
}
