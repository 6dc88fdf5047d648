import { HypershiftApiPublishing, HypershiftProps } from './hypershift-props';
import {
  HostedClusterSpecServices, HostedClusterSpecServicesService as Service, HostedClusterSpecServicesServicePublishingStrategy as PublishingStrategy,
  HostedClusterSpecServicesServicePublishingStrategyType as Strategy,
} from '../../imports/hypershift.openshift.io';
import { IGNITION_SERVICE, OAUTH_SERVICE } from '../../manifests/hypershift-facts';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../../model/exposure';
import { PassthroughRoute, TlsService } from '../../model/exposure-props';

export const OAUTH_ROUTE = 'oauth';
export const IGNITION_ROUTE = 'ignition-server';

/** The public port of Routes, and the only one. */
export const ROUTE_PORT = 443;

/** What HyperShift publishes, by the name of its route; in the order of `spec.services`. */
const SERVICES: readonly [route: string, service: Service][] = [
  [API_ROUTE, Service.API_SERVER],
  [KONNECTIVITY_ROUTE, Service.KONNECTIVITY],
  [OAUTH_ROUTE, Service.O_AUTH_SERVER],
  [IGNITION_ROUTE, Service.IGNITION],
];

/** The TLS services of every hosted cluster, with the Services and ports that HyperShift gives them. */
export const HYPERSHIFT_TLS_SERVICES: TlsService[] = [
  { name: OAUTH_ROUTE, port: ROUTE_PORT, serviceName: OAUTH_SERVICE.name, servicePort: OAUTH_SERVICE.port },
  { name: IGNITION_ROUTE, port: ROUTE_PORT, serviceName: IGNITION_SERVICE.name, servicePort: IGNITION_SERVICE.port, podPort: 8443 },
];

/** Type of the platform that the nodes run on. */
export function platformType({ platform }: HypershiftProps): string {
  return platform === undefined ? 'None' : platform.type;
}

/** Whether HyperShift runs its shared ingress for the cluster (`netutil.IsAroHCPByHC`). */
export function isAroHcp(props: HypershiftProps): boolean {
  return platformType(props) === 'Azure' && props.platform?.azure?.azureAuthenticationConfig?.azureAuthenticationConfigType === 'ManagedIdentities';
}

export function apiPublishing(props: HypershiftProps): HypershiftApiPublishing {
  const bringsIngress = isAroHcp(props) || platformType(props) === 'IBMCloud';
  return props.apiServerPublishing ?? (bringsIngress ? HypershiftApiPublishing.ROUTE : HypershiftApiPublishing.NODE_PORT);
}

/** The routes that HyperShift publishes, without further TLS services of the user's. */
export function publishedRoutes({ routes }: Exposure): PassthroughRoute[] {
  return SERVICES.map(([name]) => routes.find(route => route.name === name)!);
}

/** How a route is published: by what its port is. */
export function publishingOf(props: HypershiftProps, route: PassthroughRoute): HypershiftApiPublishing {
  if (route.name === API_ROUTE) {
    return apiPublishing(props);
  }
  return route.port === ROUTE_PORT ? HypershiftApiPublishing.ROUTE : HypershiftApiPublishing.NODE_PORT;
}

/** `spec.services`. */
export function hostedClusterServices(props: HypershiftProps, exposure: Exposure): HostedClusterSpecServices[] {
  return publishedRoutes(exposure).map((route, i) => ({ service: SERVICES[i][1], servicePublishingStrategy: strategyOf(props, route) }));
}

function strategyOf(props: HypershiftProps, route: PassthroughRoute): PublishingStrategy {
  const { hostname, port } = route;
  switch (publishingOf(props, route)) {
    case HypershiftApiPublishing.NODE_PORT: return { type: Strategy.NODE_PORT, nodePort: { address: hostname, port } };
    case HypershiftApiPublishing.LOAD_BALANCER: return { type: Strategy.LOAD_BALANCER, loadBalancer: { hostname } };
    case HypershiftApiPublishing.ROUTE: return { type: Strategy.ROUTE, route: { hostname } };
  }
}
