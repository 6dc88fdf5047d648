import type { HostnamePattern } from './hostname-pattern';
import type { KubernetesServicePath } from './kubernetes-service-path';
import type { TenantNetwork } from './tenant-network';

/** The public host and port of the konnectivity server. */
export interface KonnectivityExposure {
  /**
   * Public DNS name that konnectivity agents dial.
   * @default - from the domain and the hostname pattern, with the service `konnectivity`
   */
  readonly hostname?: string;
  /**
   * Public port.
   * @default - the port of the API server
   */
  readonly port?: number;
}

/**
 * A further TLS service of the control plane that shares the address, e.g. an OAuth server. Its clients must send the host
 * as SNI; Talos nodes dial trustd by IP address, so they reach it only with a name in their configuration.
 */
export interface TlsService {
  /** Name of the route: a DNS label, e.g. `oauth`. */
  readonly name: string;
  /**
   * Public DNS name; clients must send it as SNI.
   * @default - from the domain and the hostname pattern, with the name as the service
   */
  readonly hostname?: string;
  /**
   * Public port.
   * @default - the port of the API server
   */
  readonly port?: number;
  /**
   * Service in the control plane's namespace that serves it.
   * @default - the platform's, for a service that it knows by name; else the Service of the control plane
   */
  readonly serviceName?: string;
  /**
   * Port of the Service, e.g. 50001 for trustd.
   * @default - the platform's, for a service that it knows by name (see its class); of any other it must be given
   */
  readonly servicePort?: number;
  /**
   * Port of the pods that the port of the Service leads to (its `targetPort`): what NetworkPolicies and OpenShift's
   * Routes name.
   * @default - the port of the Service
   */
  readonly podPort?: number;
}

/**
 * A further address at which a control plane is reached, beside its main one: by hosts of its own, which nobody else has.
 * Kubelets, tcp-proxies, konnectivity agents and kubeconfigs keep to the main one.
 */
export interface ExposureEntry {
  /** Name of the entry among those of its control plane: a DNS label of at most 40 characters. Names of objects end with it. */
  readonly name: string;
  /**
   * Public DNS name of the API server at this entry.
   * @default - the entry does not lead to the API server
   */
  readonly hostname?: string;
  /**
   * Public DNS name of the konnectivity server at this entry, for agents that you run yourself.
   * @default - the entry does not lead to the konnectivity server
   */
  readonly konnectivityHostname?: string;
  /**
   * Public port of both.
   * @default 443
   */
  readonly port?: number;
}

/** The Service in the management cluster that the routes lead to. */
export interface ExposureBackend {
  /** Name of the Service. */
  readonly serviceName: string;
  /**
   * Namespace of the Services.
   * @default - the control plane's namespace
   */
  readonly serviceNamespace?: string;
  /**
   * Service of the konnectivity server.
   * @default - the Service of the API server
   */
  readonly konnectivityServiceName?: string;
  /**
   * Port of the API server on the Service.
   * @default 6443
   */
  readonly apiPort?: number;
  /**
   * Port at which the API server listens in its pods: what it publishes in `default/kubernetes`, and what NetworkPolicies and
   * OpenShift's Routes name.
   * @default - the port on the Service
   */
  readonly apiPodPort?: number;
  /**
   * Port of the konnectivity server on the Service.
   * @default 8132
   */
  readonly konnectivityPort?: number;
}

/** What an exposure is computed from. */
export interface ExposureProps {
  /** Name of the control plane: a DNS-1035 label. */
  readonly name: string;
  /** Namespace of the control plane in the management cluster. */
  readonly namespace: string;
  /**
   * Public DNS name of the API server.
   * @default - from `domain` and `hostnamePattern`
   */
  readonly hostname?: string;
  /**
   * Domain of all tenants; hosts that are not given are made of it.
   * @default - none; `hostname` is required
   */
  readonly domain?: string;
  /**
   * How hosts are made of the domain.
   * @default HostnamePattern.steward()
   */
  readonly hostnamePattern?: HostnamePattern;
  /**
   * Public port of the API server.
   * @default 443
   */
  readonly port?: number;
  /**
   * Expose konnectivity; `{}` takes every default.
   * @default - no konnectivity
   */
  readonly konnectivity?: KonnectivityExposure;
  /**
   * Whether konnectivity has the API server's host, on a port of its own, unless a host is given.
   * @default false
   */
  readonly konnectivitySharesHostname?: boolean;
  /**
   * Whether the API server has an address of its own, which its host resolves to, and only the others are behind the
   * shared address.
   * @default false
   */
  readonly apiOwnAddress?: boolean;
  /**
   * Further TLS services behind the same address.
   * @default - none
   */
  readonly tlsServices?: TlsService[];
  /**
   * Whether konnectivity is reached at an address of its own, by a host that the API server does not have.
   * @default false
   */
  readonly konnectivityOwnEntry?: boolean;
  /**
   * Further addresses at which the control plane is reached.
   * @default - the main one alone
   */
  readonly furtherEntries?: ExposureEntry[];
  /**
   * The Service that the routes lead to.
   * @default - named like the control plane, ports 6443 and 8132
   */
  readonly backend?: ExposureBackend;
  /**
   * Network of the tenant cluster.
   * @default - the defaults of kubeadm-like platforms, see the fields
   */
  readonly network?: TenantNetwork;
  /**
   * Further names and addresses for the API server's certificate.
   * @default - none
   */
  readonly certSans?: string[];
  /**
   * Identifies the tenant at a shared gateway that routes on the PROXY protocol.
   * @default - none
   */
  readonly clusterId?: string;
  /**
   * How pods of the tenant reach the Service `kubernetes`.
   * @default KubernetesServicePath.tcpProxy()
   */
  readonly kubernetesService?: KubernetesServicePath;
}

/** One SNI host, or one port, of the shared address and the Service port it leads to; TLS is not opened on the way. */
export interface PassthroughRoute {
  /**
   * What is behind it: `kube-apiserver`, `konnectivity-server` or the name of a TLS service. With a further entry its name too, e.g.
   * `kube-apiserver-public`.
   */
  readonly name: string;
  /** SNI host. */
  readonly hostname: string;
  /** Public port. */
  readonly port: number;
  /** Service in the management cluster. */
  readonly serviceName: string;
  /** Namespace of the Service. */
  readonly serviceNamespace: string;
  /** Port of the Service. */
  readonly servicePort: number;
  /**
   * Port of the pods behind it.
   * @default - the port of the Service
   */
  readonly podPort?: number;
  /**
   * The entry that it is of: the name of a further one, or `konnectivity` where that has a controller of its own.
   * @default - the main one
   */
  readonly entry?: string;
  /**
   * Whether the Service has an address of its own, which the host resolves to: nothing at the shared address leads to it.
   * @default false
   */
  readonly ownAddress?: boolean;
}
