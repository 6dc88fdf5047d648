import { INGRESS_CONTROLLERS } from '../../cli/ingress-controllers';

/** One of the answers to a question. */
export interface Choice {
  /** As it is typed, e.g. `kamaji-capi`. */
  readonly name: string;
  /** What it is, for whoever chooses. */
  readonly title: string;
}

/** A system that runs control planes. */
export interface PlatformChoice extends Choice {
  /** Whether its hosts have the namespace too, as those of Kamaji. */
  readonly namespaceInHosts: boolean;
  /** Whether its control planes are of Cluster API. */
  readonly clusterApi: boolean;
  /** What the resource of a control plane is called more than the control plane. */
  readonly suffix: string;
  /** Whether tenants get our tcp-proxy, and so anything is taken to them. */
  readonly tcpProxy: boolean;
}

export const PLATFORMS: readonly PlatformChoice[] = [
  { name: 'steward', title: 'Steward', namespaceInHosts: false, clusterApi: false, suffix: '', tcpProxy: true },
  { name: 'kamaji', title: 'Kamaji', namespaceInHosts: true, clusterApi: false, suffix: '', tcpProxy: true },
  { name: 'kamaji-capi', title: 'Kamaji by Cluster API', namespaceInHosts: true, clusterApi: true, suffix: '', tcpProxy: true },
  { name: 'k0smotron', title: 'k0smotron', namespaceInHosts: false, clusterApi: false, suffix: '', tcpProxy: true },
  { name: 'k0smotron-capi', title: 'k0smotron by Cluster API', namespaceInHosts: false, clusterApi: true, suffix: '-cp', tcpProxy: true },
  { name: 'hypershift', title: 'HyperShift', namespaceInHosts: false, clusterApi: false, suffix: '', tcpProxy: false },
];

/** What leads to the control planes at the shared address. */
export interface ControllerChoice extends Choice {
  /** Whether it is a Gateway of the Gateway API, which the app makes. */
  readonly gateway: boolean;
  /** Whether it leads a port to one tenant, and to a Service in any namespace. */
  readonly portsOfTenants: boolean;
  /** The factory of `IngressController`; undefined for what the app makes itself. */
  readonly factory?: string;
}

export const CONTROLLERS: readonly ControllerChoice[] = [
  ...INGRESS_CONTROLLERS.map(({ name, factory, title, gateway }) => ({ name, title, factory, gateway, portsOfTenants: gateway })),
  { name: 'shared-gateway', title: 'the shared gateway of this library', gateway: false, portsOfTenants: true },
];

/** What takes the objects of tenants to their clusters. */
export interface DeliveryChoice extends Choice {
  /** Whether manifests are committed for it to find. */
  readonly fromGit: boolean;
}

export const DELIVERIES: readonly DeliveryChoice[] = [
  { name: 'sync', title: 'sync, a Deployment of this library', fromGit: false },
  { name: 'flux', title: 'Flux', fromGit: true },
  { name: 'argocd', title: 'Argo CD', fromGit: true },
  { name: 'manifests', title: 'you, or a pipeline of yours', fromGit: false },
  { name: 'cluster-resource-set', title: 'a ClusterResourceSet of Cluster API', fromGit: false },
];

export const LANGUAGES: readonly Choice[] = [
  { name: 'typescript', title: 'TypeScript' },
  { name: 'python', title: 'Python' },
  { name: 'go', title: 'Go' },
  { name: 'java', title: 'Java' },
];

/** The controllers that a platform can be behind. */
export function controllersOf(platform: PlatformChoice): ControllerChoice[] {
  return platform.tcpProxy ? [...CONTROLLERS]
    // Nodes' proxies of HyperShift send no host, so each tenant has a port, and its Services are in a namespace of their own.
    : CONTROLLERS.filter(({ portsOfTenants }) => portsOfTenants).sort((a, b) => Number(a.gateway) - Number(b.gateway));
}

/** What can take objects to the tenants of a platform. */
export function deliveriesOf(platform: PlatformChoice): DeliveryChoice[] {
  return DELIVERIES.filter(({ name }) => platform.tcpProxy ? name !== 'cluster-resource-set' || platform.clusterApi : name === 'manifests');
}
