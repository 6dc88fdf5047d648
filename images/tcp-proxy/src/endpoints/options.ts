import { Logger } from 'pino';
import { Registry } from 'prom-client';

export interface EndpointsOptions {
  /** `https://host[:port]` of the API server. Never `kubernetes.default.svc`, which works only once this controller did. */
  readonly apiServer: string;
  /** The tenant cluster's CA; read again for every request. */
  readonly caFile: string;
  /** The service account token; read again for every request. */
  readonly tokenFile: string;
  /** Namespace of the proxy pods. */
  readonly namespace: string;
  /** Name of the pod this process runs in. */
  readonly podName: string;
  /** Addresses of the node this process runs on (`status.hostIPs`). */
  readonly hostIps: string[];
  /** Label selector of the proxy pods. */
  readonly podSelector: string;
  /** Port that is published, under the name `https`. */
  readonly endpointPort: number;
  /** Fixed addresses that are published instead of those of the nodes; empty for the latter. */
  readonly advertiseAddresses: string[];
  readonly logger: Logger;
  readonly registry: Registry;
}

export interface EndpointsStatus {
  /**
   * `default/kubernetes` held what it should at least once since the start. It stays true when the API server goes
   * away or somebody changes the objects: a proxy that works is no less ready for it. The gauge
   * `tcp_proxy_endpoints_in_sync` and the detail tell about such troubles.
   */
  readonly published: boolean;
  readonly detail: string;
}
