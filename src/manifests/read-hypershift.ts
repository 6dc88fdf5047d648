import { ControlPlane, OwnPort, Server, serversOf } from './control-plane';
import { Field, pick, pickList, pickNumber, pickText } from './fields';
import { hostOf, Host } from './host';
import {
  API_PORT, API_SERVICE, apiServicePort, hostedControlPlaneNamespace, IGNITION_SERVICE, KONNECTIVITY_PORT, KONNECTIVITY_SERVICE, OAUTH_SERVICE,
} from './hypershift-facts';
import { operatorRoute } from './operator-routes';
import { Source } from './source';
import { systemName } from './systems';

/** What is published, in the order of `serversOf`. */
const SERVICES = ['APIServer', 'Konnectivity', 'OAuthServer', 'Ignition'];

/**
 * A HostedCluster. Its operator derives SANs and flags from the hosts, makes Routes and Services in the namespace
 * `<namespace>-<name>`, and runs a proxy on every node.
 */
export function readHypershift(source: Source): ControlPlane {
  const [api, konnectivity, oauth, ignition] = SERVICES.map(service => routeHost(source, service));
  const namespace = hostedControlPlaneNamespace(source.name, source.namespace);
  const hosts = [api, konnectivity, oauth, ignition].filter((host): host is Host => host !== undefined);
  const furtherServers: Server[] = [
    { title: 'OAuth server', host: oauth, namespace, services: [OAUTH_SERVICE.name], port: OAUTH_SERVICE.port },
    { title: 'ignition server', host: ignition, namespace, services: [IGNITION_SERVICE.name, 'ignition-server'], port: IGNITION_SERVICE.port },
  ];
  return {
    source,
    system: systemName(source),
    exposure: hosts.length > 0 ? 'ingress' : 'none',
    api,
    apiByPort: apiByPort(source),
    konnectivity: { enabled: konnectivity !== undefined, host: konnectivity, byPort: nodePortAddress(source, 'Konnectivity') },
    service: {
      namespace,
      name: API_SERVICE,
      apiPort: apiServicePort(pickText(source.object, 'spec.platform.type')),
      konnectivityName: KONNECTIVITY_SERVICE,
      konnectivityPort: KONNECTIVITY_PORT,
    },
    furtherServers,
    advertiseAddress: advertiseAddressOf(source),
    operatorOwnsEndpoints: true,
    nodePorts: nodePortsOf(source),
    operatorRoutes: hosts.map(host => operatorRoute(source, host, "HyperShift's Routes")),
  };
}

/** Whether its nodes send the cluster ID at all: those of ARO, which are Azure's with managed identities. */
export function sendsClusterId(source: Source): boolean {
  return pickText(source.object, 'spec.platform.azure.azureAuthenticationConfig.azureAuthenticationConfigType') === 'ManagedIdentities';
}

/** How a HostedCluster publishes a service, and where it says so. */
export function publicationOf(source: Source, service: string): Field<string> | undefined {
  const i = indexOf(source, service);
  const type = pickText(pickList(source.object, 'spec.services')[i], 'servicePublishingStrategy.type');
  return type === undefined ? undefined : { value: type, path: `spec.services[${i}].servicePublishingStrategy.type` };
}

/** A server of a HostedCluster that is published by a node port, which is also its port on the shared address. */
export interface PublishedPort {
  readonly port: Field<number>;
  readonly server: Server;
}

export function publishedPorts(controlPlane: ControlPlane): PublishedPort[] {
  const servers = serversOf(controlPlane);
  return SERVICES.flatMap((service, i) => {
    const port = nodePortOf(controlPlane.source, indexOf(controlPlane.source, service));
    return port === undefined ? [] : [{ port, server: servers[i] }];
  });
}

function routeHost(source: Source, service: string): Host | undefined {
  const { strategy, path } = strategyOf(source, service);
  const hostname = pickText(strategy, 'route.hostname');
  if (hostname === undefined || (pickText(strategy, 'type') ?? 'Route') !== 'Route') return undefined;
  return hostOf(hostname, `${path}.route.hostname`);
}

function nodePortsOf(source: Source): Field<number>[] {
  return pickList(source.object, 'spec.services').flatMap((_, i) => nodePortOf(source, i) ?? []);
}

function nodePortOf(source: Source, i: number): Field<number> | undefined {
  const strategy = pick(pickList(source.object, 'spec.services')[i], 'servicePublishingStrategy');
  const port = pickNumber(strategy, 'nodePort.port');
  return port === undefined || port === 0 ? undefined : { value: port, path: `spec.services[${i}].servicePublishingStrategy.nodePort.port` };
}

function indexOf(source: Source, service: string): number {
  return pickList(source.object, 'spec.services').findIndex(item => pickText(item, 'service') === service);
}

function apiByPort(source: Source): OwnPort | undefined {
  const { strategy, path } = strategyOf(source, 'APIServer');
  const hostname = pickText(strategy, 'loadBalancer.hostname');
  if (pickText(strategy, 'type') === 'LoadBalancer' && hostname !== undefined) {
    return { host: hostOf(hostname, `${path}.loadBalancer.hostname`), port: API_PORT };
  }
  return nodePortAddress(source, 'APIServer');
}

function nodePortAddress(source: Source, service: string): OwnPort | undefined {
  const { strategy, path } = strategyOf(source, service);
  const address = pickText(strategy, 'nodePort.address');
  const port = pickNumber(strategy, 'nodePort.port');
  if (pickText(strategy, 'type') !== 'NodePort' || address === undefined || port === undefined || port === 0) return undefined;
  return { host: hostOf(address, `${path}.nodePort.address`), port };
}

function strategyOf(source: Source, service: string): { readonly strategy: unknown; readonly path: string } {
  const i = indexOf(source, service);
  return { strategy: pick(pickList(source.object, 'spec.services')[i], 'servicePublishingStrategy'), path: `spec.services[${i}].servicePublishingStrategy` };
}

function advertiseAddressOf({ object }: Source): Field<string> | undefined {
  const path = 'spec.networking.apiServer.advertiseAddress';
  const value = pickText(object, path);
  return value === undefined ? undefined : { value, path };
}
