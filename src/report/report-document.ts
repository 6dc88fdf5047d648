/**
 * The report as data: what `exposure-report.json` holds.
 *
 * Names and meanings of fields stay; new ones may be added. A change that would break a reader raises `formatVersion`.
 * Lists are sorted, so two reports of the same app are equal byte for byte.
 */
export interface ExposureReportDocument {
  /** 1. */
  readonly formatVersion: number;
  /** Title of the report. */
  readonly title: string;
  /** Addresses, or the one DNS name, of the shared edge; empty when they are not given. */
  readonly sharedAddresses: string[];
  /** The control planes, by namespace and name. */
  readonly controlPlanes: ReportedControlPlane[];
  /** The DNS records to create; empty when the shared addresses are not given. */
  readonly dnsRecords: ReportedDnsRecord[];
  /** Wildcard records that may stand for several of `dnsRecords`, and for tenants to come. */
  readonly wildcardDnsRecords: ReportedDnsRecord[];
  /** The connections that firewalls and network policies must let through. */
  readonly ports: ReportedPort[];
  /** What must exist before the manifests work, as they do not hold it. */
  readonly prerequisites: ReportedPrerequisite[];
  /** The images that nodes pull, for a registry of your own; those of the operators are not among them. */
  readonly images: ReportedImage[];
  /**
   * What a LoadBalancer for each tenant costs, and what the shared edge does.
   * @default - no prices were given
   */
  readonly costs?: ReportedCosts;
}

/** A control plane. */
export interface ReportedControlPlane {
  /** Name. */
  readonly name: string;
  /** Namespace in the management cluster. */
  readonly namespace: string;
  /**
   * What runs it, e.g. `Kamaji`; a platform of your own as it calls itself.
   * @default - not known: another app makes it
   */
  readonly platform?: string;
  /**
   * Version of Kubernetes that it is asked to run, without `v`, e.g. `1.34.3`.
   * @default - not known: another app makes it, or a release image says it
   */
  readonly kubernetesVersion?: string;
  /**
   * How many API servers it has.
   * @default - not known
   */
  readonly replicas?: number;
  /**
   * The ingress controller in front, as it calls itself, e.g. `traefik`.
   * @default - not known: another app makes it
   */
  readonly controller?: string;
  /** `server` of kubeconfigs, e.g. `https://tenant-01.k8s.example.com:443`. */
  readonly kubeconfigServer: string;
  /**
   * Identifies the tenant at a shared gateway that routes on the PROXY protocol.
   * @default - none
   */
  readonly clusterId?: string;
  /** One for each endpoint. */
  readonly routes: ReportedRoute[];
  /** Names and addresses that the API server's certificate carries. */
  readonly certSans: string[];
  /** Public DNS names of the main entry; all of them resolve to the shared address. */
  readonly dnsNames: string[];
  /**
   * The other entries, each with an address of its own.
   * @default - none
   */
  readonly entries?: ReportedEntry[];
  /** Networks of the tenant's Services. */
  readonly serviceCidrs: string[];
  /** Networks of the tenant's pods. */
  readonly podCidrs: string[];
  /** How the API server reaches the nodes, for exec, logs and webhooks: `konnectivity`, `directly` or `none`. */
  readonly nodes: string;
  /** Arguments of the konnectivity agent; empty without konnectivity. */
  readonly konnectivityAgentArgs: string[];
  /** How pods of the tenant reach the API server. */
  readonly kubernetesService: ReportedKubernetesService;
  /**
   * The tcp-proxy in the tenant cluster.
   * @default - no TcpProxyAddon leads to the control plane
   */
  readonly tcpProxy?: ReportedTcpProxy;
}

/** An entry of a control plane that is not its main one. */
export interface ReportedEntry {
  /** Its name; `konnectivity` where that has a controller of its own. */
  readonly name: string;
  /** Public DNS names; all of them resolve to the address of the entry. */
  readonly dnsNames: string[];
  /**
   * `server` of kubeconfigs for this entry.
   * @default - it does not lead to the API server
   */
  readonly kubeconfigServer?: string;
  /**
   * What routes there.
   * @default - not known: the control plane is made elsewhere
   */
  readonly controller?: string;
  /**
   * Source networks that may connect.
   * @default - everyone, or not known
   */
  readonly allowedCidrs?: string[];
  /**
   * Where the certificate of its host comes from, as it is in ServingCertificate.
   * @default - that of the tenant's CA
   */
  readonly certificate?: string;
}

/** One public endpoint and the Service port that it leads to. */
export interface ReportedRoute {
  /** `kube-apiserver`, `konnectivity-server` or the name of a TLS service. */
  readonly name: string;
  /** Host. */
  readonly hostname: string;
  /**
   * The entry that it is of.
   * @default - the main one
   */
  readonly entry?: string;
  /**
   * How connections find it: `sni`, by the host at the shared address; `port`, by the port of the shared address alone;
   * `own-address`, which the host resolves to.
   */
  readonly foundBy: string;
  /** Public port. */
  readonly port: number;
  /** Service in the management cluster. */
  readonly serviceName: string;
  /** Namespace of the Service. */
  readonly serviceNamespace: string;
  /** Port of the Service. */
  readonly servicePort: number;
  /** Port of the pods behind it. */
  readonly podPort: number;
}

/** A way to the Service `kubernetes` that a tenant does not take. */
export interface ReportedWay {
  /** `ipv6-address`, `port`, `tcp-proxy`, `tunnel` (a tcp-proxy that puts TLS around the bytes) or `host-injection`. */
  readonly way: string;
  /** What it would need here. */
  readonly needs: string;
}

/** How pods of a tenant reach the Service `kubernetes`, which they dial by its IP address. */
export interface ReportedKubernetesService {
  /** `tcp-proxy`, `port`, `ipv6-address`, `host-injection` or `none`, as `kubernetesService` of the control plane says. */
  readonly way: string;
  /** The same in words; `none` where nothing that is known leads there, and nobody has said that this is meant. */
  readonly description: string;
  /** What `default/kubernetes` holds, as `address:port`, where that is at the shared edge; else empty. */
  readonly endpoints: string[];
  /**
   * Whether somebody between pod and API server opens their TLS.
   * @default - not known: this app does not make the tcp-proxy
   */
  readonly opensTls?: boolean;
  /** Who has a key with which to be the API server towards pods. */
  readonly apiServerKeys: string;
  /**
   * Whether client certificates of pods reach the API server.
   * @default - not known: this app does not make the tcp-proxy
   */
  readonly clientCertificates?: boolean;
  /** The way that costs and risks least among those that are open here. */
  readonly recommended: string;
  /** The other ways, and what they need. */
  readonly alternatives: ReportedWay[];
}

/** The tcp-proxy of a tenant cluster. */
export interface ReportedTcpProxy {
  /** Name of its objects. */
  readonly name: string;
  /** Namespace in the tenant cluster. */
  readonly namespace: string;
  /** `replicas`, `every-node` or `static-pod`. */
  readonly placement: string;
  /**
   * Number of proxies.
   * @default - one on every node
   */
  readonly replicas?: number;
  /** How it reaches the API server: `sni`, `shared-gateway` (PROXY v2) or `direct`. */
  readonly upstream: string;
  /** Host that it connects to. */
  readonly upstreamHost: string;
  /** Port that it connects to. */
  readonly upstreamPort: number;
  /** Port on its nodes for the API. */
  readonly listenPort: number;
  /** Port on its nodes for health and metrics. */
  readonly healthPort: number;
  /** Addresses that every node has for itself; empty when the addresses of nodes are published. */
  readonly advertiseAddresses: string[];
  /**
   * Where its certificate comes from, as it is in TcpProxyCertificate, e.g. `issuedBySync()`; `none` where nobody makes it and nobody says so.
   * @default - it opens no TLS and needs none
   */
  readonly certificate?: string;
}

/** A DNS record. */
export interface ReportedDnsRecord {
  /** DNS name, without a final dot. */
  readonly name: string;
  /** `A`, `AAAA` or `CNAME`. */
  readonly type: string;
  /** Address, or DNS name of a CNAME. */
  readonly value: string;
}

/** Connections that must be let through. */
export interface ReportedPort {
  /** Who connects, e.g. `workers`. */
  readonly from: string;
  /** What they connect to, e.g. `shared address`. */
  readonly to: string;
  /** TCP port. */
  readonly port: number;
  /** What the connections are for. */
  readonly purposes: string[];
  /** The control planes that need it, as `namespace/name`. */
  readonly controlPlanes: string[];
}

/** An object, an API or a program that must exist before the manifests work. */
export interface ReportedPrerequisite {
  /** Kind of an object, e.g. `Secret`; `API` for a kind that the API server must serve; `Operator` for a program that must run. */
  readonly kind: string;
  /**
   * Its API version.
   * @default - it is an operator
   */
  readonly apiVersion?: string;
  /**
   * Its namespace.
   * @default - it has none
   */
  readonly namespace?: string;
  /** Its name: the kind of an API; what people call an operator; `(default)` for the StorageClass that a cluster takes where none is named. */
  readonly name: string;
  /**
   * Labels that it must have.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /** What it is for; continues the sentence that starts with it. */
  readonly reason: string;
  /**
   * The release of an operator that this library was made with.
   * @default - not one of those that run control planes
   */
  readonly read?: string;
  /** Where it must be: names of management clusters; `<namespace>/<name>` of the control plane for a tenant cluster. */
  readonly clusters: string[];
  /** The objects that need it, as `Kind namespace/name`. */
  readonly neededBy: string[];
}

/** An image that nodes pull. */
export interface ReportedImage {
  /** As nodes pull it; with a digest where the manifests have one. */
  readonly image: string;
  /** Whether it has a tag or digest; else the operator's release decides on the tag. */
  readonly complete: boolean;
  /** The clusters whose nodes pull it, as in `prerequisites`. */
  readonly clusters: string[];
  /** The objects whose pods run it, as `Kind namespace/name`. */
  readonly usedBy: string[];
}

/** A comparison of monthly costs. */
export interface ReportedCosts {
  /** Currency of all amounts. */
  readonly currency: string;
  /** For one tenant with a LoadBalancer and addresses of its own. */
  readonly loadBalancerPerTenant: number;
  /** For the shared edge, whatever the number of tenants. */
  readonly sharedEdge: number;
  /**
   * The smallest number of tenants for which the shared edge costs less.
   * @default - none: a LoadBalancer for each tenant costs nothing
   */
  readonly breakEvenTenants?: number;
  /** For each number of tenants. */
  readonly comparisons: ReportedCostComparison[];
}

/** Monthly costs for a number of tenants. */
export interface ReportedCostComparison {
  /** Number of tenants. */
  readonly tenants: number;
  /** With a LoadBalancer for each. */
  readonly loadBalancers: number;
  /** With the shared edge. */
  readonly sharedEdge: number;
  /** What the shared edge saves; negative when it costs more. */
  readonly savings: number;
}
