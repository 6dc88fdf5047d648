import { ControlPlane, serversOf } from './control-plane';
import { pick, pickList, pickText } from './fields';
import { Listener, listenersOf } from './gateway';
import { takes } from './host';
import { mayRoute } from './known-kinds';
import { KeysOf, lookUp } from './lookup';
import { IngressClasses, isHandled } from './operator-routes';
import { argumentProxies, haproxyProxies, isProxyWorkload, Proxy } from './proxy';
import { readHypershift } from './read-hypershift';
import { ingressControllers, ingressRoutes } from './read-ingress';
import { readK0rdent, readK0smotron } from './read-k0smotron';
import { ROUTE_READERS } from './read-routes';
import {
  AllowedSource, allowedSources, ClusterIdRoute, clusterIdRoutes, gatewayOf, gatewayTlvType, listUses, ListUse, mapRoutes, PortRoute, portRoutes,
} from './read-shared-gateway';
import { readTenantControlPlane } from './read-tenant-control-plane';
import { Route } from './route';
import { Source } from './source';

/** Everything that the rules look at, read from YAML once. */
export interface Platform {
  readonly sources: Source[];
  readonly controlPlanes: ControlPlane[];
  /** Of objects and of operators. */
  readonly routes: Route[];
  readonly classes: IngressClasses;
  readonly listeners: Listener[];
  readonly proxies: Proxy[];
  readonly proxyWorkloads: Source[];
  readonly clusterIds: ClusterIdRoute[];
  readonly portRoutes: PortRoute[];
  /** Lists of networks of shared gateways, and the targets that name them. */
  readonly allowedSources: AllowedSource[];
  readonly listUses: ListUse[];
  /** Text of the objects of kinds that may route, for all that is known here. */
  readonly unknownText: string;
  /** TLV type that each shared gateway reads, by `namespace/name`. */
  readonly tlvTypes: ReadonlyMap<string, number>;
}

export function readPlatform(sources: Source[]): Platform {
  const classes: IngressClasses = {
    controllerOf: ingressControllers(sources),
    used: new Set(sources.filter(source => source.kind === 'Ingress' && !isOfOperator(source)).flatMap(({ object }) => pickText(object, 'spec.ingressClassName') ?? [])),
  };
  const all = sources.flatMap(source => readControlPlane(source, sources, classes) ?? []);
  // What comes from a running cluster has the objects of operators too, such as the TenantControlPlane of a KamajiControlPlane.
  const controlPlanes = all.filter(({ source }) => !ownersOf(source).some(owner =>
    lookUp(all, byOwnName, owner.name).some(other => owner.is(other.source))));
  const objectRoutes = sources.flatMap(source => routesOf(source, classes));
  return {
    sources,
    controlPlanes,
    classes,
    routes: [...objectRoutes, ...controlPlanes.flatMap(controlPlane => operatorRoutesOf(controlPlane, objectRoutes))],
    listeners: sources.filter(({ kind, apiVersion }) => kind === 'Gateway' && apiVersion.startsWith('gateway.networking.k8s.io/')).flatMap(listenersOf),
    proxies: sources.flatMap(source => [...haproxyProxies(source), ...argumentProxies(source)]),
    proxyWorkloads: sources.filter(isProxyWorkload),
    unknownText: JSON.stringify(sources.filter(mayRoute).map(({ object }) => object)),
    clusterIds: sources.flatMap(clusterIdRoutes),
    portRoutes: sources.flatMap(portRoutes),
    allowedSources: sources.flatMap(allowedSources),
    listUses: sources.flatMap(listUses),
    tlvTypes: new Map(sources.flatMap(source => {
      const type = gatewayTlvType(source);
      return type === undefined ? [] : [[gatewayOf(source), type] as const];
    })),
  };
}

function routesOf(source: Source, classes: IngressClasses): Route[] {
  if (source.kind === 'ConfigMap') return mapRoutes(source);
  if (source.kind !== 'Ingress') return ROUTE_READERS.get(source.kind)?.(source) ?? [];
  const routes = ingressRoutes(source, classes.controllerOf);
  // An operator makes one also where nobody handles its class, so that others make the routes.
  return isOfOperator(source) ? routes.filter(({ passthrough }) => isHandled(pickText(source.object, 'spec.ingressClassName'), passthrough, classes)) : routes;
}

/** HyperShift's Routes are for OpenShift's router. Whoever leads hosts to the Services in another way has none, or does not use it. */
function operatorRoutesOf({ system, operatorRoutes, service }: ControlPlane, routes: Route[]): Route[] {
  const others = system === 'HyperShift' && lookUp(routes, byNamespace, service!.namespace).length > 0;
  return others ? [] : operatorRoutes;
}

function readControlPlane(source: Source, sources: Source[], classes: IngressClasses): ControlPlane | undefined {
  switch (`${source.apiVersion.split('/')[0]} ${source.kind}`) {
    case 'kamaji.clastix.io TenantControlPlane':
    case 'steward.butlerlabs.dev TenantControlPlane':
    case 'controlplane.cluster.x-k8s.io KamajiControlPlane':
      return readTenantControlPlane(source, classes);
    case 'k0smotron.io Cluster':
      return readK0smotron(source, source.name, classes);
    case 'controlplane.cluster.x-k8s.io K0smotronControlPlane':
      return readK0smotron(source, clusterOf(source, sources)?.name, classes);
    case 'k0rdent.mirantis.com ClusterDeployment':
      return readK0rdent(source);
    case 'hypershift.openshift.io HostedCluster':
      return readHypershift(source);
    default:
      return undefined;
  }
}

/** Owners that make Ingresses. */
const OPERATED_KINDS = ['TenantControlPlane', 'Cluster'];

function isOfOperator({ object }: Source): boolean {
  return pickList(object, 'metadata.ownerReferences').some(owner => OPERATED_KINDS.includes(String(pick(owner, 'kind'))));
}

/** An operator makes objects for one that another operator has made: a Service for a TenantControlPlane for a KamajiControlPlane. */
const MAX_GENERATIONS = 4;

/** Whether operators have made an object for another one. */
export function isOwnedBy(source: Source, owner: Source, sources: Source[], generations = MAX_GENERATIONS): boolean {
  return ownersOf(source).some(reference => reference.is(owner) || (generations > 1 && lookUp(sources, bySourceName, `${source.namespace}/${reference.name}`)
    .some(parent => parent !== source && reference.is(parent) && isOwnedBy(parent, owner, sources, generations - 1))));
}

interface OwnerReference {
  readonly name: string;
  is(owner: Source): boolean;
}

/** Two groups have a kind Cluster, and k0smotron gives both of a cluster the same name. */
function ownersOf({ namespace, object }: Source): OwnerReference[] {
  return pickList(object, 'metadata.ownerReferences').map(reference => {
    const [group, kind, name] = [pickText(reference, 'apiVersion')?.split('/')[0], pickText(reference, 'kind'), pickText(reference, 'name')];
    return {
      name: String(name),
      is: owner => owner.kind === kind && owner.name === name && owner.namespace === namespace && (group === undefined || owner.apiVersion.split('/')[0] === group),
    };
  });
}

/** An object by kind, namespace and name. */
export function findSource(kind: unknown, namespace: string, name: unknown, sources: Source[]): Source | undefined {
  return lookUp(sources, byFullName, `${String(kind)} ${namespace}/${String(name)}`)[0];
}

/** The Cluster API cluster of a control plane object. */
export function clusterOf(controlPlane: Source, sources: Source[]): Source | undefined {
  return lookUp(sources, byControlPlane, fullName(controlPlane))[0];
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

const fullName = ({ kind, namespace, name }: Source) => `${kind} ${namespace}/${name}`;
const bySourceName: KeysOf<Source> = ({ namespace, name }) => [`${namespace}/${name}`];
const byOwnName: KeysOf<ControlPlane> = ({ source }) => [source.name];
const byFullName: KeysOf<Source> = source => [fullName(source)];
const byControlPlane: KeysOf<Source> = ({ apiVersion, kind, namespace, object }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/')
  ? [`${String(pick(object, 'spec.controlPlaneRef.kind'))} ${namespace}/${String(pick(object, 'spec.controlPlaneRef.name'))}`]
  : [];
const byService: KeysOf<ControlPlane> = controlPlane => serversOf(controlPlane).flatMap(({ namespace, services }) => services.map(name => `${namespace}/${name}`));
const byNamespace: KeysOf<Route> = ({ backend }) => (backend ? [backend.namespace] : []);
const hostsOf = ({ api, konnectivity, furtherServers = [] }: ControlPlane) =>
  [api, konnectivity.host, ...furtherServers.map(({ host }) => host)].flatMap(host => (host ? [host.host] : []));
const byHost: KeysOf<ControlPlane> = hostsOf;
const byUpstream: KeysOf<Proxy> = ({ upstream }) => [upstream.host];
const byClusterId: KeysOf<Proxy> = ({ clusterId }) => (clusterId === undefined ? [] : [clusterId]);
const byTarget: KeysOf<ClusterIdRoute> = ({ namespace, service }) => [`${namespace}/${service}`];
