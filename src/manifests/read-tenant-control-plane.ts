import { ControlPlane, ControlPlaneService, Konnectivity, OperatorProxy } from './control-plane';
import { Field, pick, pickList, pickNumber, pickRecord, pickText, pickTexts } from './fields';
import { clusterOf, findSource } from './find-source';
import { flagValues } from './flags';
import { Host, hostOf } from './host';
import { HAPROXY, INGRESS_NGINX, passthroughAnnotations } from './ingress-controllers';
import { IngressClasses, operatorIngress, operatorRoute } from './operator-routes';
import { Route } from './route';
import { groupOf, Source } from './source';
import { systemName } from './systems';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT, KAMAJI_ADDON_DOMAIN, STEWARD_GROUP } from './tenant-control-plane-facts';

const HTTPS = 443;
const IN_CLUSTER_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
const STEWARD_ANNOTATIONS: { [type: string]: Record<string, string> } = {
  haproxy: passthroughAnnotations(HAPROXY),
  nginx: { ...passthroughAnnotations(INGRESS_NGINX), 'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS' },
};

/** Where the same settings stand in a TenantControlPlane and in a KamajiControlPlane. */
interface Paths {
  readonly ingress: string;
  readonly ingressClass: string;
  readonly ingressAnnotations: string;
  readonly gateway: string;
  readonly apiServerArgs: string;
  readonly advertiseAddress: string;
  readonly serviceType: string;
  readonly furtherPorts: string;
}

const TENANT_CONTROL_PLANE: Paths = {
  ingress: 'spec.controlPlane.ingress',
  ingressClass: 'ingressClassName',
  ingressAnnotations: 'additionalMetadata.annotations',
  gateway: 'spec.controlPlane.gateway',
  apiServerArgs: 'spec.controlPlane.deployment.extraArgs.apiServer',
  advertiseAddress: 'spec.networkProfile.advertiseAddress',
  serviceType: 'spec.controlPlane.service.serviceType',
  furtherPorts: 'spec.controlPlane.service.additionalPorts',
};
/** Steward has one field for the address of the Service and for what the API server advertises. */
const STEWARD_PATHS: Paths = { ...TENANT_CONTROL_PLANE, advertiseAddress: 'spec.networkProfile.address' };
const KAMAJI_CONTROL_PLANE: Paths = {
  ingress: 'spec.network.ingress',
  ingressClass: 'className',
  ingressAnnotations: 'extraAnnotations',
  gateway: 'spec.network.gateway',
  apiServerArgs: 'spec.apiServer.extraArgs',
  advertiseAddress: 'spec.network.advertiseAddress',
  serviceType: 'spec.network.serviceType',
  furtherPorts: 'spec.network.additionalServicePorts',
};

/**
 * TenantControlPlanes of Kamaji and Steward, and KamajiControlPlanes of Kamaji's Cluster API provider.
 *
 * @param sources among them the Cluster of a KamajiControlPlane, which says what port the API server has
 */
export function readTenantControlPlane(source: Source, sources: Source[], classes: IngressClasses): ControlPlane {
  const { object } = source;
  const steward = groupOf(source) === STEWARD_GROUP;
  const viaClusterApi = source.kind === 'KamajiControlPlane';
  const paths = viaClusterApi ? KAMAJI_CONTROL_PLANE : steward ? STEWARD_PATHS : TENANT_CONTROL_PLANE;
  const exposure = pick(object, paths.ingress) !== undefined ? 'ingress' : pick(object, paths.gateway) !== undefined ? 'gateway' : 'none';
  const apiPath = `${exposure === 'gateway' ? paths.gateway : paths.ingress}.hostname`;
  const written = pickText(object, apiPath);
  const api = written === undefined ? undefined : hostOf(written, apiPath);
  const service: ControlPlaneService = {
    namespace: source.namespace,
    name: source.name,
    ...viaClusterApi ? apiPortOfProvider(source, sources) : { apiPort: pickNumber(object, 'spec.networkProfile.port') ?? DEFAULT_API_PORT },
    konnectivityPort: pickNumber(object, 'spec.addons.konnectivity.server.port') ?? DEFAULT_KONNECTIVITY_PORT,
    furtherPorts: pickList(object, paths.furtherPorts).flatMap(port => pickNumber(port, 'port') ?? []),
  };
  const konnectivity = konnectivityOf(source, steward, exposure, api, service);
  const sansPath = viaClusterApi ? 'spec.network.certSANs' : 'spec.networkProfile.certSANs';
  const tcpProxy = steward && pick(object, 'spec.addons.tcpProxy') !== undefined;
  const addon = !steward && KAMAJI_ADDON_DOMAIN in pickRecord(object, 'metadata.annotations');
  return {
    source,
    system: systemName(source),
    exposure,
    api,
    publicPort: publicPortOf(steward, viaClusterApi, exposure, api, service),
    konnectivity,
    service,
    // The provider adds the host to them (cluster-api-control-plane-provider-kamaji).
    sans: { value: [...new Set([...pickTexts(object, sansPath), ...(viaClusterApi && api ? [api.host] : [])])], path: sansPath },
    apiServerArgs: { value: pickTexts(object, paths.apiServerArgs), path: paths.apiServerArgs },
    advertiseAddress: advertiseAddressOf(source, paths),
    operatorOwnsEndpoints: tcpProxy,
    operatorProxy: operatorProxyOf(tcpProxy, addon),
    nodePorts: pickText(object, paths.serviceType) === 'NodePort' ? [
      { value: service.apiPort, path: 'spec.networkProfile.port' },
      ...(konnectivity.enabled ? [{ value: service.konnectivityPort, path: 'spec.addons.konnectivity.server.port' }] : []),
    ] : [],
    operatorRoutes: api === undefined ? [] : [
      ...(addon ? addonRoutes(source, api, konnectivity, service) : []),
      ...(exposure === 'gateway' ? gatewayRoutes(source, paths, steward, api, konnectivity, service) : ingressRoutes(source, paths, steward, api, konnectivity, service, classes)),
    ],
  };
}

/** The provider takes it from the Cluster into the TenantControlPlane (its `createOrUpdateTenantControlPlane`), as far as they are there. */
function apiPortOfProvider(source: Source, sources: Source[]): Pick<ControlPlaneService, 'apiPort' | 'apiPortAssumed'> {
  const cluster = clusterOf(source, sources);
  const made = findSource('TenantControlPlane', source.namespace, source.name, sources);
  const apiPort = pickNumber(cluster?.object, 'spec.clusterNetwork.apiServerPort') ?? pickNumber(made?.object, 'spec.networkProfile.port');
  return { apiPort: apiPort ?? DEFAULT_API_PORT, apiPortAssumed: (cluster ?? made) === undefined };
}

/** In a field of its own, or where there is none by the flag. */
function advertiseAddressOf({ object }: Source, { advertiseAddress, apiServerArgs }: Paths): Field<string> | undefined {
  const field = pickText(object, advertiseAddress);
  if (field !== undefined) return { value: field, path: advertiseAddress };
  const [flag] = flagValues(pickTexts(object, apiServerArgs), '--advertise-address');
  return flag === undefined ? undefined : { value: flag, path: apiServerArgs };
}

function operatorProxyOf(steward: boolean, addon: boolean): OperatorProxy | undefined {
  if (steward) return { name: 'steward-tcp-proxy', path: 'spec.addons.tcpProxy', remedy: 'Leave spec.addons.tcpProxy out, or the other tcp-proxy' };
  return addon
    ? { name: "the tcp-proxy of Kamaji's ingress addon", path: `metadata.annotations["${KAMAJI_ADDON_DOMAIN}"]`, remedy: 'Take the annotation away, or the other tcp-proxy' }
    : undefined;
}

/**
 * Steward has fixed ones. Kamaji takes that of the hostname, which a TenantControlPlane cannot have for a Gateway: then it is that of the listener.
 * Its provider of Cluster API takes 443 for a host of a Gateway without one.
 */
function publicPortOf(
  steward: boolean, viaClusterApi: boolean, exposure: ControlPlane['exposure'], api: Host | undefined, service: ControlPlaneService,
): Field<number> | undefined {
  if (api === undefined) return undefined;
  const { path } = api;
  if (exposure === 'gateway') {
    const otherwise = viaClusterApi ? HTTPS : service.apiPort;
    return { value: steward ? DEFAULT_API_PORT : api.port ?? otherwise, path };
  }
  const port = steward ? HTTPS : api.port;
  return port === undefined ? undefined : { value: port, path };
}

function konnectivityOf(source: Source, steward: boolean, exposure: ControlPlane['exposure'], api: Host | undefined, service: ControlPlaneService): Konnectivity {
  const path = 'spec.addons.konnectivity.agent.extraArgs';
  const args = pickTexts(source.object, path);
  const agentArgs = { value: args, path };
  const enabled = pick(source.object, 'spec.addons.konnectivity') !== undefined;
  const [host] = flagValues(args, '--proxy-server-host');
  const [port] = flagValues(args, '--proxy-server-port');
  const own = port === undefined ? undefined : { value: Number(port), path };
  if (!enabled || host !== undefined || api === undefined || exposure === 'none') {
    return { enabled, agentArgs, host: host === undefined ? undefined : hostOf(host, path), port: own };
  }
  const derived = { value: exposure === 'gateway' ? service.konnectivityPort : HTTPS, path: api.path };
  return steward || exposure === 'gateway'
    ? { enabled, agentArgs, derived: true, host: derivedHost(steward, api), port: own ?? derived }
    : { enabled, agentArgs, port: own };
}

/** The konnectivity host that the operator's own routes have, whatever agents are told. */
function derivedHost(steward: boolean, api: Host): Host {
  return steward ? hostOf(api.host.replace('.k8s.', '.konnectivity.'), api.path) : api;
}

function addonRoutes(source: Source, api: Host, konnectivity: Konnectivity, service: ControlPlaneService): Route[] {
  const entry = "Kamaji's ingress addon";
  return [
    operatorRoute(source, api, entry, backend(service, service.apiPort, api.path)),
    ...(konnectivity.host ? [operatorRoute(source, konnectivity.host, entry, backend(service, service.konnectivityPort, api.path))] : []),
  ];
}

/** Kamaji and Steward make an Ingress with the API host alone; Steward an IngressRouteTCP for Traefik, with the in-cluster names. */
function ingressRoutes(
  source: Source, paths: Paths, steward: boolean, api: Host, konnectivity: Konnectivity, service: ControlPlaneService, classes: IngressClasses,
): Route[] {
  const type = steward ? pickText(source.object, `${paths.ingress}.controllerType`) : undefined;
  const toApi = backend(service, service.apiPort, api.path);
  if (type === 'traefik') {
    const entry = 'Traefik entry point websecure';
    const toKonnectivity = backend(service, service.konnectivityPort, api.path);
    return [
      ...[api, ...IN_CLUSTER_NAMES.map(name => hostOf(name, `${paths.ingress}.controllerType`))].map(host => operatorRoute(source, host, entry, toApi)),
      ...(konnectivity.enabled ? [operatorRoute(source, derivedHost(steward, api), entry, toKonnectivity)] : []),
    ];
  }
  return operatorIngress(source, {
    className: pickText(source.object, `${paths.ingress}.${paths.ingressClass}`),
    annotations: { ...STEWARD_ANNOTATIONS[type ?? ''], ...pickRecord(source.object, `${paths.ingress}.${paths.ingressAnnotations}`) },
    hosts: [{ host: api, backend: toApi }],
  }, classes);
}

function gatewayRoutes(source: Source, paths: Paths, steward: boolean, api: Host, konnectivity: Konnectivity, service: ControlPlaneService): Route[] {
  const parents = pickList(source.object, `${paths.gateway}.parentRefs`);
  const parent = parents[0] ?? pick(source.object, paths.gateway);
  const name = `${pickText(parent, 'namespace') ?? source.namespace}/${pickText(parent, 'name')}`;
  const section = steward ? 'kube-apiserver' : pickText(parent, 'sectionName') ?? '';
  return [
    operatorRoute(source, api, `Gateway ${name} ${section}`.trimEnd(), backend(service, service.apiPort, api.path)),
    ...(konnectivity.enabled
      ? [operatorRoute(source, derivedHost(steward, api), `Gateway ${name} konnectivity-server`, backend(service, service.konnectivityPort, api.path))]
      : []),
  ];
}

function backend(service: ControlPlaneService, port: number, path: string): Route['backend'] {
  return { namespace: service.namespace, service: service.name, port: { value: port, path } };
}
