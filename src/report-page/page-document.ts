/**
 * What the page shows: a part of ExposureReportDocument, of which most may be missing, so that the doctor can also make one of objects
 * that somebody else wrote.
 */
export interface PageDocument {
  readonly title: string;
  readonly sharedAddresses: readonly string[];
  readonly controlPlanes: readonly PageControlPlane[];
  readonly dnsRecords?: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  readonly wildcardDnsRecords?: PageDocument['dnsRecords'];
  readonly ports?: readonly PagePort[];
  readonly prerequisites?: readonly PagePrerequisite[];
  readonly costs?: PageCosts;
}

export interface PageControlPlane {
  readonly name: string;
  readonly namespace: string;
  readonly platform?: string;
  readonly kubernetesVersion?: string;
  readonly replicas?: number;
  readonly controller?: string;
  readonly kubeconfigServer?: string;
  readonly clusterId?: string;
  readonly routes: readonly PageRoute[];
  readonly certSans?: readonly string[];
  /** How the API server reaches the nodes. */
  readonly nodes?: string;
  readonly kubernetesService?: {
    readonly way: string;
    readonly description: string;
    readonly endpoints: readonly string[];
    readonly opensTls?: boolean;
    readonly clientCertificates?: boolean;
    readonly apiServerKeys: string;
  };
  readonly tcpProxy?: {
    readonly name: string;
    readonly namespace: string;
    readonly placement: string;
    readonly replicas?: number;
    readonly upstream: string;
    readonly upstreamHost: string;
    readonly upstreamPort: number;
    readonly certificate?: string;
  };
}

export interface PageRoute {
  readonly name: string;
  readonly hostname: string;
  /** `sni`, `port` or `own-address`. */
  readonly foundBy: string;
  readonly port: number;
  /** Missing where an operator alone knows it. */
  readonly serviceNamespace?: string;
  readonly serviceName?: string;
  readonly servicePort?: number;
}

export interface PagePort {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly purposes: readonly string[];
  readonly controlPlanes: readonly string[];
}

export interface PagePrerequisite {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly reason: string;
  readonly clusters: readonly string[];
}

export interface PageCosts {
  readonly currency: string;
  readonly loadBalancerPerTenant: number;
  readonly sharedEdge: number;
  readonly breakEvenTenants?: number;
  readonly comparisons: readonly {
    readonly tenants: number;
    readonly loadBalancers: number;
    readonly sharedEdge: number;
    readonly savings: number;
  }[];
}
