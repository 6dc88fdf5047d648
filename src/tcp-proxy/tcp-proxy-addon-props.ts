import type { TcpProxyEndpoints } from './endpoints';
import type { TcpProxyPlacement } from './placement';
import type { TcpProxyUpstream } from './upstream';
import type { AgentWorkloadProps } from '../agent/agent-workload-props';
import type { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import type { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import type { ConnectionShares } from '../haproxy/limit-props';
import type { Exposure } from '../model/exposure';

/** A name that pods resolve without DNS. */
export interface TcpProxyHostAlias {
  /** IP address, e.g. of the shared address. */
  readonly ip: string;
  /** Names that resolve to it. */
  readonly hostnames: string[];
}

/** The tcp-proxy of one tenant cluster. */
export interface TcpProxyAddonProps extends AgentWorkloadProps {
  /**
   * The control plane of the tenant. Its API server gets the flags that the chosen endpoints need; one that is made elsewhere
   * (`IngressExposedControlPlane.fromAttributes`) must have them.
   * @default - `exposure` is required
   */
  readonly controlPlane?: IHostedControlPlane;
  /**
   * The exposure of a control plane. If it is not one of this app, its API server must run with
   * `--endpoint-reconciler-type=none`, unless the endpoints are a fixed address.
   * @default - that of `controlPlane`
   */
  readonly exposure?: Exposure;
  /**
   * How the proxy reaches the API server.
   * @default TcpProxyUpstream.sni()
   */
  readonly upstream?: TcpProxyUpstream;
  /**
   * Where the proxy runs.
   * @default - TcpProxyPlacement.replicas(): a Deployment of 2
   */
  readonly placement?: TcpProxyPlacement;
  /**
   * Who keeps the endpoints of the Service `kubernetes`.
   * @default TcpProxyEndpoints.owned()
   */
  readonly endpoints?: TcpProxyEndpoints;

  /**
   * Namespace in the tenant cluster.
   * @default kube-system
   */
  readonly namespace?: string;
  /**
   * Name of the objects.
   * @default tcp-proxy
   */
  readonly name?: string;
  /**
   * Where the proxy's serving certificate comes from; only a proxy that opens TLS has one. With a static pod it is in files
   * of the nodes instead. The proxy takes up a changed certificate by itself.
   * @default - TcpProxyCertificate.issuedBySync() in a chart that sync delivers, else the Secret `<name>-tls`
   */
  readonly certificate?: TcpProxyCertificate;
  /**
   * Port of the proxy on its nodes.
   * @default 6443
   */
  readonly listenPort?: number;
  /**
   * Port on the nodes for `/healthz`, `/readyz` and `/metrics`.
   * @default 8404
   */
  readonly healthPort?: number;
  /**
   * Most connections at a time; a further one is refused.
   * @default - what fits into the memory limit: 64Mi for the pod, and for a connection up to 1340Ki where TLS is opened, else up to 1089Ki; 8000 at most
   */
  readonly maxConnections?: number;
  /**
   * How the connections are shared out.
   * @default - a quarter of them for a source
   */
  readonly shares?: ConnectionShares;
  /**
   * Threads of HAProxy. One uses a core at most and the least CPU for each request; it is enough for thousands of
   * requests, or some hundred new connections, a second.
   * @default 1
   */
  readonly threads?: number;
  /**
   * HTTP/2 between clients and API server. Switch it off for an API server that runs with HTTP/2 disabled.
   * @default true
   */
  readonly http2?: boolean;
  /**
   * Seconds after which a connection without any traffic is closed; at least an hour, as watches are silent.
   * @default 86400
   */
  readonly tunnelTimeoutSeconds?: number;
  /**
   * Seconds between the withdrawal of a stopping proxy's address and its last new connection.
   * @default 5
   */
  readonly propagationDelaySeconds?: number;
  /**
   * Seconds that open connections of a stopping proxy may go on. A proxy whose address cannot be withdrawn, as the API server does not answer,
   * goes on serving for as long at most, and has so much less for them afterwards.
   * @default 60
   */
  readonly gracePeriodSeconds?: number;
  /**
   * Seconds that open connections may go on after a change of the tenant CA, which only new connections know of.
   * @default 21600
   */
  readonly reloadGraceSeconds?: number;

  /**
   * Names that the pods resolve without DNS, e.g. the API host before DNS knows it. A name given here is
   * read when HAProxy starts; a changed address needs a changed manifest.
   * @default - none
   */
  readonly hostAliases?: TcpProxyHostAlias[];
  /**
   * Emit a NetworkPolicy for the proxy. Few CNIs apply policies to pods with host network.
   * @default false
   */
  readonly networkPolicy?: boolean;
}
