import type { ExposureBackend, ExposureEntry, KonnectivityExposure, TlsService } from '../model/exposure-props';
import type { HostnamePattern } from '../model/hostname-pattern';
import type { KubernetesServicePath } from '../model/kubernetes-service-path';
import type { PlatformSecrets } from '../model/platform-secrets';
import type { TenantNetwork } from '../model/tenant-network';
import type { ControlPlanePlatform } from '../platforms/control-plane-platform';

/**
 * What is known of a control plane that this app does not make. Whoever asks for more than is given gets an error that names
 * the attribute.
 */
export interface HostedControlPlaneAttributes extends PlatformSecrets {
  /** Namespace of the control plane in the management cluster. */
  readonly namespace: string;
  /**
   * Name of the control plane.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * The system that runs it, as it was told to: names of Secrets, ports and hosts that are not given are those that the
   * platform gives.
   * @default - not known: what depends on it must be given
   */
  readonly platform?: ControlPlanePlatform;
  /**
   * Kubernetes version of the tenant cluster, e.g. `1.34.3`.
   * @default - not known
   */
  readonly kubernetesVersion?: string;

  /**
   * Public DNS name of the API server, without a port.
   * @default - from `domain` and `hostnamePattern`
   */
  readonly hostname?: string;
  /**
   * Domain of all tenants; hosts that are not given are made of it.
   * @default - none; then every host must be given
   */
  readonly domain?: string;
  /**
   * How hosts are made of the domain.
   * @default - as the platform names them, else HostnamePattern.steward()
   */
  readonly hostnamePattern?: HostnamePattern;
  /**
   * Public port of the API server.
   * @default - the platform's, else 443
   */
  readonly port?: number;
  /**
   * Where konnectivity is exposed.
   * @default - no konnectivity
   */
  readonly konnectivity?: KonnectivityExposure;
  /**
   * Whether the API server reaches the nodes and pods of the tenant without konnectivity, e.g. in one network, or nobody needs exec, logs
   * and webhooks there. Without either there is a warning.
   * @default false
   */
  readonly nodesReachable?: boolean;
  /**
   * Further TLS services behind the same address.
   * @default - those that the platform always has
   */
  readonly tlsServices?: TlsService[];
  /**
   * The Service of the control plane.
   * @default - the platform's, else one with the name of the control plane and the ports 6443 and 8132
   */
  readonly backend?: ExposureBackend;
  /**
   * Network of the tenant cluster.
   * @default - the platform's defaults, see the fields
   */
  readonly network?: TenantNetwork;
  /**
   * Names and addresses of the API server's certificate beside the hosts and the in-cluster names.
   * @default - none
   */
  readonly certSans?: string[];
  /**
   * Further addresses at which it is reached, for DNS and the report.
   * @default - the main one alone
   */
  readonly furtherEntries?: ExposureEntry[];
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

  /**
   * Whether the API server leaves `default/kubernetes` alone (`--endpoint-reconciler-type=none`), so that a tcp-proxy can own it.
   * With k0smotron: whether its own tcp-proxy is taken out.
   * @default - not known: a TcpProxyAddon that owns the endpoints is an error
   */
  readonly endpointsOwnedByTcpProxy?: boolean;
  /**
   * The address that the API server publishes in `default/kubernetes` (`--advertise-address`).
   * @default - not known: a TcpProxyAddon at a fixed address is an error
   */
  readonly advertiseAddress?: string;
  /**
   * The Cluster of Cluster API whose control plane it is; it is in the same namespace.
   * @default - the platform's
   */
  readonly clusterApiCluster?: string;
}
