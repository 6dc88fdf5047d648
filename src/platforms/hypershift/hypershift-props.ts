/** How many replicas the components of the control plane have. */
export enum HypershiftAvailability {
  /** Three of most components. */
  HIGHLY_AVAILABLE = 'HighlyAvailable',
  /** One of each. */
  SINGLE_REPLICA = 'SingleReplica',
}

/** The network plugin of the hosted cluster. */
export enum HypershiftNetworkType {
  /** OVN-Kubernetes, OpenShift's default. */
  OVN_KUBERNETES = 'OVNKubernetes',
  /** Calico. */
  CALICO = 'Calico',
  /** Any other, installed by the user. */
  OTHER = 'Other',
}

/** How HyperShift publishes the API server of a hosted cluster. */
export enum HypershiftApiPublishing {
  /**
   * A node port of the management cluster, which is also the tenant's port on the shared address. Pods reach the API server
   * so, as the proxies of their nodes connect to the port without a host name.
   */
  NODE_PORT = 'NodePort',
  /** A load balancer and an address of its own. The only way on AWS. */
  LOAD_BALANCER = 'LoadBalancer',
  /** HyperShift's own shared ingress on ARO HCP, and IBM Cloud's ingress. */
  ROUTE = 'Route',
}

/** What the management cluster is. */
export enum HypershiftManagementCluster {
  /** OpenShift, whose router admits Routes. */
  OPENSHIFT = 'openshift',
  /** Kubernetes without OpenShift's router. */
  KUBERNETES = 'kubernetes',
}

/** The HTTP proxy that the hosted cluster has to use. */
export interface HypershiftHttpProxy {
  /**
   * Proxy for HTTP, as a URL.
   * @default - none
   */
  readonly httpProxy?: string;
  /**
   * Proxy for HTTPS, as a URL.
   * @default - none
   */
  readonly httpsProxy?: string;
  /**
   * Hosts, domains and networks that are reached without a proxy, separated by commas.
   * @default - none
   */
  readonly noProxy?: string;
}

/** A HostedCluster of HyperShift. */
export interface HypershiftProps {
  /** OpenShift release image of the control plane, with digest or tag. */
  readonly releaseImage: string;
  /** Secret with the pull secret, in the namespace of the HostedCluster. */
  readonly pullSecretName: string;
  /**
   * Secret with the SSH key of the nodes, in the namespace of the HostedCluster.
   * @default - none
   */
  readonly sshKeyName?: string;
  /**
   * `spec.platform`: where the nodes run, in the words of HyperShift.
   * @default - { type: 'None' }
   */
  readonly platform?: { [field: string]: any };
  /**
   * How the API server is published. Immutable.
   * @default - HypershiftApiPublishing.NODE_PORT; ROUTE on ARO HCP (Azure with managed identities) and on IBM Cloud
   */
  readonly apiServerPublishing?: HypershiftApiPublishing;
  /**
   * What the management cluster is. Without OpenShift's router ignition needs a port of its own, as HyperShift waits for
   * an admitted Route otherwise.
   * @default HypershiftManagementCluster.OPENSHIFT
   */
  readonly managementClusterType?: HypershiftManagementCluster;
  /**
   * Range of the node ports, of the hosted cluster and of the management cluster, as `first-last`. Ports at which services are
   * published must lie in it (operator, from 4.21 on).
   * @default 30000-32767
   */
  readonly serviceNodePortRange?: string;
  /**
   * `spec.clusterID` of the HostedCluster, a UUID that identifies the cluster to OpenShift. Immutable.
   * @default - HyperShift chooses; on ARO HCP the `clusterId` of the control plane
   */
  readonly clusterId?: string;
  /**
   * Base domain of the hosted cluster's own ingress.
   * @default - none
   */
  readonly baseDomain?: string;
  /**
   * Replicas of the components.
   * @default HypershiftAvailability.HIGHLY_AVAILABLE
   */
  readonly availability?: HypershiftAvailability;
  /**
   * Network plugin.
   * @default HypershiftNetworkType.OVN_KUBERNETES
   */
  readonly networkType?: HypershiftNetworkType;
  /**
   * Networks of the nodes.
   * @default - none
   */
  readonly machineCidrs?: string[];
  /**
   * Size of etcd's volume.
   * @default 8Gi
   */
  readonly etcdStorageSize?: string;
  /**
   * Class of etcd's volume.
   * @default - the management cluster's default
   */
  readonly etcdStorageClassName?: string;
  /**
   * Address that every node has for its proxy to the API server, and that `default/kubernetes` holds. Immutable.
   * @default - HyperShift's: 172.20.0.1, or fd00::1 for an IPv6 cluster
   */
  readonly advertiseAddress?: string;
  /**
   * Port of the nodes' proxies, and of `default/kubernetes`. Immutable. The Service of the API server has port 6443 all the
   * same, or 2040 on IBM Cloud.
   * @default 6443
   */
  readonly apiServerPort?: number;
  /**
   * Networks that may reach the control plane, 500 at most. HyperShift enforces them at load balancers and routers of
   * its own; for any other controller give the control plane `allowedCidrs`. They have no effect on node ports, where they
   * are an error.
   * @default - everyone
   */
  readonly allowedCidrBlocks?: string[];
  /**
   * HTTP proxy of the hosted cluster.
   * @default - none
   */
  readonly httpProxy?: HypershiftHttpProxy;
  /**
   * Nodes of the management cluster that run the control plane.
   * @default - any
   */
  readonly nodeSelector?: { [name: string]: string };
}
