import { ControlPlane, Server, serversOf } from './control-plane';
import { Field, pick, pickList, pickNumber, pickText } from './fields';
import { hostOf, Host } from './host';
import { operatorRoute } from './operator-routes';
import { Source } from './source';

const API_PORT = 6443;
const IBM_CLOUD_API_PORT = 2040;
const KONNECTIVITY_PORT = 8091;
const OAUTH_PORT = 6443;
const IGNITION_PORT = 443;
/** What is published, in the order of `serversOf`. */
const SERVICES = ['APIServer', 'Konnectivity', 'OAuthServer', 'Ignition'];
/** The type of the TLV in which HyperShift's proxies send the cluster ID (`support/config`). */
export const HYPERSHIFT_TLV_TYPE = 0x20;

/**
 * A HostedCluster. Its operator derives SANs and flags from the hosts, makes Routes and Services in the namespace
 * `<namespace>-<name>`, and runs a proxy on every node.
 */
export function readHypershift(source: Source): ControlPlane {
  const [api, konnectivity, oauth, ignition] = SERVICES.map(service => routeHost(source, service));
  const namespace = `${source.namespace}-${source.name}`;
  const hosts = [api, konnectivity, oauth, ignition].filter((host): host is Host => host !== undefined);
  const furtherServers: Server[] = [
    { title: 'OAuth server', host: oauth, namespace, services: ['oauth-openshift'], port: OAUTH_PORT },
    { title: 'ignition server', host: ignition, namespace, services: ['ignition-server-proxy', 'ignition-server'], port: IGNITION_PORT },
  ];
  return {
    source,
    system: 'HyperShift',
    exposure: hosts.length > 0 ? 'ingress' : 'none',
    api,
    apiByPort: apiByPort(source),
    konnectivity: { enabled: konnectivity !== undefined, host: konnectivity },
    service: {
      namespace,
      name: 'kube-apiserver',
      apiPort: pickText(source.object, 'spec.platform.type') === 'IBMCloud' ? IBM_CLOUD_API_PORT : API_PORT,
      konnectivityName: 'konnectivity-server',
      konnectivityPort: KONNECTIVITY_PORT,
    },
    furtherServers,
    apiServerArgs: { value: [], path: 'spec' },
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
  const i = indexOf(source, service);
  const strategy = pick(pickList(source.object, 'spec.services')[i], 'servicePublishingStrategy');
  const hostname = pickText(strategy, 'route.hostname');
  if (hostname === undefined || (pickText(strategy, 'type') ?? 'Route') !== 'Route') return undefined;
  return hostOf(hostname, `spec.services[${i}].servicePublishingStrategy.route.hostname`);
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

function apiByPort(source: Source): ControlPlane['apiByPort'] {
  const i = indexOf(source, 'APIServer');
  const strategy = pick(pickList(source.object, 'spec.services')[i], 'servicePublishingStrategy');
  const address = pickText(strategy, 'nodePort.address');
  const port = pickNumber(strategy, 'nodePort.port');
  if (pickText(strategy, 'type') !== 'NodePort' || address === undefined || port === undefined || port === 0) return undefined;
  return { host: hostOf(address, `spec.services[${i}].servicePublishingStrategy.nodePort.address`), port };
}
