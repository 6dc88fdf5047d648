import { ControlPlane } from './control-plane';
import { Listener, listenersOf } from './gateway';
import { takes } from './host';
import { IngressClasses } from './operator-routes';
import { mayRoute } from './known-kinds';
import { argumentProxies, haproxyProxies, isProxyWorkload, Proxy } from './proxy';
import { readHypershift } from './read-hypershift';
import { ingressControllers, ingressRoutes } from './read-ingress';
import { readK0rdent, readK0smotron } from './read-k0smotron';
import { ROUTE_READERS } from './read-routes';
import { ClusterIdRoute, clusterIdRoutes, gatewayOf, gatewayTlvType, mapRoutes } from './read-shared-gateway';
import { readTenantControlPlane } from './read-tenant-control-plane';
import { Route } from './route';
import { Source } from '../documents';
import { pick, pickList, pickText } from '../fields';

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
  /** Of kinds that may route, for all that is known here. */
  readonly unknownObjects: Source[];
  /** TLV type that each shared gateway reads, by `namespace/name`. */
  readonly tlvTypes: ReadonlyMap<string, number>;
}

export function readPlatform(sources: Source[]): Platform {
  const classes: IngressClasses = {
    controllerOf: ingressControllers(sources),
    used: new Set(sources.filter(({ kind }) => kind === 'Ingress').flatMap(({ object }) => pickText(object, 'spec.ingressClassName') ?? [])),
  };
  const all = sources.flatMap(source => readControlPlane(source, sources, classes) ?? []);
  // What comes from a running cluster has the objects of operators too, such as the TenantControlPlane of a KamajiControlPlane.
  const controlPlanes = all.filter(({ source }) => !all.some(other => isOwnedBy(source, other.source)));
  return {
    sources,
    controlPlanes,
    classes,
    routes: [
      ...sources.flatMap(source => {
        if (source.kind === 'Ingress') return ingressRoutes(source, classes.controllerOf);
        if (source.kind === 'ConfigMap') return mapRoutes(source);
        return ROUTE_READERS.get(source.kind)?.(source) ?? [];
      }),
      ...controlPlanes.flatMap(({ operatorRoutes }) => operatorRoutes),
    ],
    listeners: sources.filter(({ kind, apiVersion }) => kind === 'Gateway' && apiVersion.startsWith('gateway.networking.k8s.io/')).flatMap(listenersOf),
    proxies: sources.flatMap(source => [...haproxyProxies(source), ...argumentProxies(source)]),
    proxyWorkloads: sources.filter(isProxyWorkload),
    unknownObjects: sources.filter(mayRoute),
    clusterIds: sources.flatMap(clusterIdRoutes),
    tlvTypes: new Map(sources.flatMap(source => {
      const type = gatewayTlvType(source);
      return type === undefined ? [] : [[gatewayOf(source), type] as const];
    })),
  };
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

/** Whether an operator has made an object for another one. */
export function isOwnedBy({ namespace, object }: Source, owner: Source): boolean {
  return namespace === owner.namespace && pickList(object, 'metadata.ownerReferences').some(reference =>
    pick(reference, 'kind') === owner.kind && pick(reference, 'name') === owner.name);
}

/** The Cluster API cluster of a control plane object. */
export function clusterOf(controlPlane: Source, sources: Source[]): Source | undefined {
  return sources.find(({ apiVersion, kind, namespace, object }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/')
    && namespace === controlPlane.namespace
    && pick(object, 'spec.controlPlaneRef.kind') === controlPlane.kind && pick(object, 'spec.controlPlaneRef.name') === controlPlane.name);
}

/** The control plane that a route leads to. */
export function destinationOf({ backend }: Route, platform: Platform): ControlPlane | undefined {
  return platform.controlPlanes.find(({ service }) =>
    service !== undefined && service.namespace === backend?.namespace && service.name === backend.service);
}

/** The control planes whose hosts a route takes. */
export function claimantsOf({ host }: Route, platform: Platform): ControlPlane[] {
  return host === undefined ? [] : platform.controlPlanes.filter(({ api, konnectivity }) =>
    [api, konnectivity.host].some(wanted => wanted !== undefined && takes(host.host, wanted.host)));
}

/** Whether a route has to do with a control plane at all. */
export function isRelevant(route: Route, platform: Platform): boolean {
  return destinationOf(route, platform) !== undefined || claimantsOf(route, platform).length > 0;
}

/** The proxies of a control plane's tenant, as far as their upstream tells. */
export function proxiesOf(controlPlane: ControlPlane, platform: Platform): Proxy[] {
  const { api, service } = controlPlane;
  return platform.proxies.filter(({ upstream, clusterId }) => clusterId === undefined
    ? upstream.host === api?.host
    : platform.clusterIds.some(route => route.clusterId === clusterId && route.namespace === service?.namespace && route.service === service.name)
      || upstream.host === api?.host);
}
