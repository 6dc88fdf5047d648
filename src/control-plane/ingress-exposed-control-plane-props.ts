import type { ControlPlaneEntry, KonnectivityEntry } from './control-plane-entry';
import type { IHostedControlPlane } from './hosted-control-plane';
import type { IngressController } from '../controllers/ingress-controller';
import type { TlsService } from '../model/exposure-props';
import type { HostnamePattern } from '../model/hostname-pattern';
import type { KubernetesServicePath } from '../model/kubernetes-service-path';
import type { TenantNetwork } from '../model/tenant-network';
import type { ControlPlanePlatform } from '../platforms/control-plane-platform';
import type { ControlPlaneNetworkPolicy } from '../platforms/network-policy';

/** A hosted control plane behind a shared address. */
export interface IngressExposedControlPlaneProps {
  /** Namespace of the control plane in the management cluster; it must exist. */
  readonly namespace: string;
  /**
   * Name of the control plane: a DNS-1035 label, as its Service has the same name.
   * @default - the construct's id
   */
  readonly name?: string;
  /** Kubernetes version of the tenant cluster, e.g. `1.31.0`. */
  readonly kubernetesVersion: string;
  /** The system that runs the control plane. */
  readonly platform: ControlPlanePlatform;
  /** What routes at the shared address. */
  readonly controller: IngressController;

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
   * @default - as the platform names them, see `HostnamePattern`
   */
  readonly hostnamePattern?: HostnamePattern;
  /**
   * Public port of the API server.
   * @default - 443, or what the platform requires
   */
  readonly port?: number;
  /**
   * Run konnectivity, the tunnel from the API server to the nodes, and expose it; `{}` takes every default.
   * @default - no konnectivity
   */
  readonly konnectivity?: KonnectivityEntry;
  /**
   * Whether the API server reaches the nodes and pods of the tenant without konnectivity, e.g. in one network, or nobody needs exec, logs
   * and webhooks there. Without either there is a warning.
   * @default false
   */
  readonly nodesReachable?: boolean;
  /**
   * Further TLS services behind the same address, e.g. Talos' trustd.
   * @default - those that the platform always has: OAuth and ignition of HyperShift
   */
  readonly tlsServices?: TlsService[];
  /**
   * Source networks that may connect, in CIDR notation, on every route but those of `furtherEntries`, which have networks of their own. It is
   * an error when the controller cannot filter connections that it does not open.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Further addresses and names at which the control plane is reached: a public one beside a private one, or a customer's own host. One that
   * comes or goes changes no object of the others but the names in the API server's certificate.
   * @default - the main one alone
   */
  readonly furtherEntries?: ControlPlaneEntry[];
  /**
   * Emit a NetworkPolicy for the control plane's pods that opens the exposed ports to the given namespaces alone. HyperShift
   * has policies of its own, to which this adds an opening.
   * @default - none; with HyperShift behind a SharedIngressGateway one for the gateway's pods
   */
  readonly networkPolicy?: ControlPlaneNetworkPolicy;
  /**
   * Network of the tenant cluster.
   * @default - the platform's defaults, see the fields
   */
  readonly network?: TenantNetwork;
  /**
   * Further names and addresses for the API server's certificate.
   * @default - the hosts and the in-cluster names alone
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
  /**
   * Have every route made by this library, also those that the platform's operator would create.
   * @default false
   */
  readonly ownRoutes?: boolean;
  /**
   * The control plane of the same tenant in another management cluster of this app, which this one is to replace: the tenant moves, and is in both
   * until the other one is taken out. They share namespace, name, hosts, cluster ID and port, which only one may have otherwise.
   * @default - none
   */
  readonly movesFrom?: IHostedControlPlane;
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations for the custom resource of the control plane.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}
