import { ControlPlane, serversOf } from './control-plane';
import { Listener, listenersOf } from './gateway';
import { takes } from './host';
import { ingressClassOf } from './ingress-class';
import { mayRoute } from './known-kinds';
import { KubernetesEndpoints, kubernetesEndpointsOf } from './kubernetes-endpoints';
import { KeysOf, lookUp } from './lookup';
import { IngressClasses, isHandled } from './operator-routes';
import { isOfOperator, ownersOf } from './owners';
import { argumentProxies, haproxyProxies, isProxyWorkload, Proxy } from './proxy';
import { readControlPlanes } from './read-control-planes';
import { ingressControllers, ingressRoutes, isIngress } from './read-ingress';
import { portRoutesOf } from './read-port-routes';
import { ROUTE_READERS } from './read-routes';
import {
  AddressRoute, addressRoutes, AllowedSource, allowedSources, ClusterIdRoute, clusterIdRoutes, ClusterRoute, clusterRoutes,
  gatewayOf, gatewayTlvType, listUses, ListUse, mapRoutes, PortRoute, portRoutes, TunnelRoute, tunnelRoutes,
} from './read-shared-gateway';
import { Route } from './route';
import { groupAndKind, Source } from './source';
import { Unread } from './unread';

/** Everything that the rules look at, read from YAML once. */
export interface Platform {
  readonly sources: Source[];
  readonly controlPlanes: ControlPlane[];
  /** What of the control planes could not be read. */
  readonly unread: Unread[];
  /** Of objects and of operators. */
  readonly routes: Route[];
  readonly classes: IngressClasses;
  readonly listeners: Listener[];
  readonly proxies: Proxy[];
  readonly proxyWorkloads: Source[];
  readonly clusterIds: ClusterIdRoute[];
  /** Ports that lead to one Service whatever the host, of shared gateways and of other edges. */
  readonly portRoutes: PortRoute[];
  /** Of the Service `kubernetes` of each tenant. */
  readonly kubernetesEndpoints: KubernetesEndpoints[];
  /** IPv6 addresses of tenants at shared gateways. */
  readonly addressRoutes: AddressRoute[];
  readonly tunnelRoutes: TunnelRoute[];
  /** What the edge of a fleet leads to other clusters. */
  readonly clusterRoutes: ClusterRoute[];
  /** Lists of networks of shared gateways, and the targets that name them. */
  readonly allowedSources: AllowedSource[];
  readonly listUses: ListUse[];
  /** Text of the objects of kinds that may route, for all that is known here. */
  readonly unknownText: string;
  /** TLV type that each shared gateway reads, by `namespace/name`. */
  readonly tlvTypes: ReadonlyMap<string, number>;
}

export function readPlatform(sources: Source[]): Platform {
  const classes = ingressClassesOf(sources);
  const { controlPlanes: all, unread } = readControlPlanes(sources, classes);
  // What comes from a running cluster has the objects of operators too, such as the TenantControlPlane of a KamajiControlPlane.
  const controlPlanes = all.filter(({ source }) => !ownersOf(source).some(owner =>
    lookUp(all, byOwnName, owner.name).some(other => owner.is(other.source))));
  const described = new Set(all.filter(controlPlane => controlPlane.described).map(({ source }) => source));
  const listeners = sources.flatMap(listenersOf);
  const objectRoutes = sources.flatMap(source => routesOf(source, classes));
  return {
    sources,
    controlPlanes,
    unread,
    classes,
    routes: [...objectRoutes, ...controlPlanes.flatMap(controlPlane => operatorRoutesOf(controlPlane, objectRoutes))],
    listeners,
    proxies: sources.flatMap(source => [...haproxyProxies(source), ...argumentProxies(source)]),
    proxyWorkloads: sources.filter(isProxyWorkload),
    unknownText: JSON.stringify(sources.filter(source => mayRoute(source) && !described.has(source)).map(({ object }) => object)),
    clusterIds: sources.flatMap(clusterIdRoutes),
    portRoutes: sources.flatMap(source => [...portRoutes(source), ...portRoutesOf(source, listeners)]),
    kubernetesEndpoints: sources.flatMap(source => kubernetesEndpointsOf(source) ?? []),
    addressRoutes: sources.flatMap(addressRoutes),
    tunnelRoutes: sources.flatMap(tunnelRoutes),
    clusterRoutes: sources.flatMap(clusterRoutes),
    allowedSources: sources.flatMap(allowedSources),
    listUses: sources.flatMap(listUses),
    tlvTypes: new Map(sources.flatMap(source => {
      const type = gatewayTlvType(source);
      return type === undefined ? [] : [[gatewayOf(source), type] as const];
    })),
  };
}

/** What the manifests say of classes of Ingresses. */
export function ingressClassesOf(sources: Source[]): IngressClasses {
  return {
    controllerOf: ingressControllers(sources),
    used: new Set(sources.filter(source => isIngress(source) && !isOfOperator(source)).flatMap(({ object }) => ingressClassOf(object) ?? [])),
  };
}

function routesOf(source: Source, classes: IngressClasses): Route[] {
  if (source.kind === 'ConfigMap') return mapRoutes(source);
  if (!isIngress(source)) return ROUTE_READERS.get(groupAndKind(source))?.(source) ?? [];
  const routes = ingressRoutes(source, classes.controllerOf);
  // An operator makes one also where nobody handles its class, so that others make the routes.
  return isOfOperator(source) ? routes.filter(({ passthrough }) => isHandled(ingressClassOf(source.object), passthrough, classes)) : routes;
}

/** HyperShift's Routes are for OpenShift's router. Whoever leads hosts to the Services in another way has none, or does not use it. */
function operatorRoutesOf({ system, operatorRoutes, service }: ControlPlane, routes: Route[]): Route[] {
  const others = system === 'HyperShift' && lookUp(routes, byNamespace, service!.namespace).length > 0;
  return others ? [] : operatorRoutes;
}

/** The control plane that a route leads to. */
export function destinationOf({ backend }: Pick<Route, 'backend'>, platform: Platform): ControlPlane | undefined {
  return backend && lookUp(platform.controlPlanes, byService, `${backend.namespace}/${backend.service}`)[0];
}

/** The control planes whose hosts a route takes. */
export function claimantsOf({ host }: Route, platform: Platform): ControlPlane[] {
  if (host === undefined) return [];
  if (!host.host.startsWith('*')) return lookUp(platform.controlPlanes, byHost, host.host);
  return platform.controlPlanes.filter(controlPlane => hostsOf(controlPlane).some(wanted => takes(host.host, wanted)));
}

/** Whether a route has to do with a control plane at all. */
export function isRelevant(route: Route, platform: Platform): boolean {
  return destinationOf(route, platform) !== undefined || claimantsOf(route, platform).length > 0;
}

/** The proxies of a control plane's tenant, as far as their upstream tells. */
export function proxiesOf({ api, service }: ControlPlane, platform: Platform): Proxy[] {
  const ids = service === undefined ? [] : lookUp(platform.clusterIds, byTarget, `${service.namespace}/${service.name}`);
  return [
    ...(api === undefined ? [] : lookUp(platform.proxies, byUpstream, api.host)),
    ...ids.flatMap(({ clusterId }) => lookUp(platform.proxies, byClusterId, clusterId)),
  ];
}

const byOwnName: KeysOf<ControlPlane> = ({ source }) => [source.name];
const byService: KeysOf<ControlPlane> = controlPlane => serversOf(controlPlane).flatMap(({ namespace, services }) => services.map(name => `${namespace}/${name}`));
const byNamespace: KeysOf<Route> = ({ backend }) => (backend ? [backend.namespace] : []);
const hostsOf = ({ api, konnectivity, furtherServers = [] }: ControlPlane) =>
  [api, konnectivity.host, ...furtherServers.map(({ host }) => host)].flatMap(host => (host ? [host.host] : []));
const byHost: KeysOf<ControlPlane> = hostsOf;
const byUpstream: KeysOf<Proxy> = ({ upstream }) => [upstream.host];
const byClusterId: KeysOf<Proxy> = ({ clusterId }) => (clusterId === undefined ? [] : [clusterId]);
const byTarget: KeysOf<ClusterIdRoute> = ({ namespace, service }) => [`${namespace}/${service}`];
