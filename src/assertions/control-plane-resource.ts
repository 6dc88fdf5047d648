import { flagValues } from './flags';
import { groupAndKind } from './group-and-kind';
import { saysPassthrough } from './passthrough-annotation';

/** What a custom resource makes of a control plane. */
export interface ControlPlaneResource {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly certSans: string[];
  readonly apiServerFlags: { [flag: string]: string };
  readonly konnectivityAgentArgs: string[];
  readonly apiHost?: string;
  readonly konnectivityHost?: string;
  /** Hosts that the operator may make routes for; it does unless a manifest makes one. */
  readonly operatorHosts: string[];
  /** Whether these routes leave TLS closed. */
  readonly operatorPassthrough: boolean;
}

type Facts = Omit<ControlPlaneResource, 'kind' | 'name' | 'namespace'>;

/** Class of the Ingresses that no controller handles, as Kamaji's documentation names it. */
const UNHANDLED = 'unhandled';
/** What k0s puts into the certificate by itself. */
const NAMES_OF_K0S = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
/** Controllers whose annotations Steward sets itself. */
const KNOWN_TO_STEWARD = ['haproxy', 'nginx', 'traefik'];

const READERS: { readonly [groupAndKind: string]: (spec: any) => Facts } = {
  'kamaji.clastix.io TenantControlPlane': tenantControlPlane,
  'steward.butlerlabs.dev TenantControlPlane': tenantControlPlane,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': kamajiControlPlane,
  'k0smotron.io Cluster': k0smotron,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': k0smotron,
  // Its chart writes the annotation of HAProxy.
  'k0rdent.mirantis.com ClusterDeployment': ({ config }) => ingressHosts(config?.controlPlane?.ingress, true),
  'hypershift.openshift.io HostedCluster': hostedCluster,
};

/** The control planes that manifests make. */
export function readControlPlanes(manifests: any[]): ControlPlaneResource[] {
  return manifests.flatMap(manifest => {
    const read = READERS[groupAndKind(manifest)];
    const { kind, metadata, spec } = manifest;
    return read ? [{ kind, name: metadata.name, namespace: metadata.namespace, ...read(spec) }] : [];
  });
}

/** The fields that TenantControlPlanes and KamajiControlPlanes have at different places. */
interface TenantControlPlaneFields {
  readonly certSans?: string[];
  readonly args?: string[];
  readonly advertiseAddress?: string;
  readonly ingress?: any;
  readonly gateway?: any;
  readonly agent?: any;
}

function tenantControlPlane({ controlPlane, networkProfile, addons }: any): Facts {
  return kamajiFacts({
    certSans: networkProfile?.certSANs,
    args: controlPlane?.deployment?.extraArgs?.apiServer,
    // Kamaji's field, and what Steward has instead.
    advertiseAddress: networkProfile?.advertiseAddress ?? networkProfile?.address,
    ingress: controlPlane?.ingress,
    gateway: controlPlane?.gateway,
    agent: addons?.konnectivity?.agent,
  });
}

function kamajiControlPlane({ network, apiServer, addons }: any): Facts {
  return kamajiFacts({
    certSans: network?.certSANs,
    args: apiServer?.extraArgs,
    advertiseAddress: network?.advertiseAddress,
    ingress: network?.ingress,
    gateway: network?.gateway,
    agent: addons?.konnectivity?.agent,
  });
}

function kamajiFacts({ certSans, args, advertiseAddress, ingress, gateway, agent }: TenantControlPlaneFields): Facts {
  const apiHost = gateway?.hostname ?? ingress?.hostname?.split(':')[0];
  const konnectivityAgentArgs = agent?.extraArgs ?? [];
  const konnectivityHost = flagValues(konnectivityAgentArgs)['proxy-server-host'];
  const annotations = { ...ingress?.additionalMetadata?.annotations, ...ingress?.extraAnnotations };
  const handled = ingress && (ingress.ingressClassName ?? ingress.className) !== UNHANDLED;
  return {
    certSans: certSans ?? [],
    apiServerFlags: { ...advertised(advertiseAddress), ...flagValues(args ?? []) },
    konnectivityAgentArgs,
    apiHost,
    konnectivityHost,
    operatorHosts: gateway ? [apiHost, konnectivityHost].filter(host => host !== undefined) : handled ? [apiHost] : [],
    operatorPassthrough: gateway !== undefined || KNOWN_TO_STEWARD.includes(ingress?.controllerType) || saysPassthrough(annotations),
  };
}

function k0smotron({ k0sConfig, ingress, externalAddress }: any): Facts {
  const api = k0sConfig?.spec?.api;
  const extraArgs = Object.entries(api?.extraArgs ?? {}).map(([flag, value]) => [flag, String(value)]);
  const hosts = { ...ingressHosts(ingress, ingress?.deploy !== false), operatorPassthrough: saysPassthrough(ingress?.annotations) };
  const certSans = [...ingress ? [ingress.apiHost, ingress.konnectivityHost] : [], ...NAMES_OF_K0S, ...api?.sans ?? []];
  return { ...hosts, certSans: [...new Set(certSans)], apiServerFlags: Object.fromEntries(extraArgs), apiHost: hosts.apiHost ?? externalAddress };
}

function hostedCluster({ services = [], networking }: any): Facts {
  const hostOf = (name: string) => {
    const { route, nodePort, loadBalancer } = services.find(({ service }: any) => service === name)?.servicePublishingStrategy ?? {};
    return route?.hostname ?? nodePort?.address ?? loadBalancer?.hostname;
  };
  return {
    certSans: [],
    apiServerFlags: advertised(networking?.apiServer?.advertiseAddress),
    konnectivityAgentArgs: [],
    apiHost: hostOf('APIServer'),
    konnectivityHost: hostOf('Konnectivity'),
    operatorHosts: services.flatMap(({ servicePublishingStrategy }: any) => servicePublishingStrategy?.route?.hostname ?? []),
    operatorPassthrough: true,
  };
}

function ingressHosts(ingress: any, deployed: boolean): Facts {
  const { apiHost, konnectivityHost } = ingress ?? {};
  return {
    certSans: [],
    apiServerFlags: {},
    konnectivityAgentArgs: [],
    apiHost,
    konnectivityHost,
    operatorHosts: ingress && deployed ? [apiHost, konnectivityHost] : [],
    operatorPassthrough: true,
  };
}

function advertised(address?: string): { [flag: string]: string } {
  return address === undefined ? {} : { 'advertise-address': address };
}
