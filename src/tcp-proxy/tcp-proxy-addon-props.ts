import type { k8s } from 'cdk8s-plus-30';
import type { TcpProxyEndpoints } from './endpoints';
import type { TcpProxyPlacement } from './placement';
import type { TcpProxyUpstream } from './upstream';
import type { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import type { IngressExposedControlPlane } from '../control-plane/ingress-exposed-control-plane';
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
export interface TcpProxyAddonProps {
  /**
   * The control plane of the tenant. Its API server gets the flags that the chosen endpoints need.
   * @default - `exposure` is required
   */
  readonly controlPlane?: IngressExposedControlPlane;
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
   * Seconds that open connections of a stopping proxy may go on.
   * @default 60
   */
  readonly gracePeriodSeconds?: number;
  /**
   * Seconds that open connections may go on after a change of the tenant CA, which only new connections know of.
   * @default 21600
   */
  readonly reloadGraceSeconds?: number;
  /**
   * Level of the agent's log: trace, debug, info, warn or error.
   * @default info
   */
  readonly logLevel?: string;

  /**
   * Image of the proxy.
   * @default - the release that belongs to this version of the library
   */
  readonly image?: string;
  /**
   * Pull policy of the image.
   * @default - Kubernetes': IfNotPresent for a fixed tag
   */
  readonly imagePullPolicy?: string;
  /**
   * Names of pull Secrets beside the pods.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * Requests and limits of the container.
   * @default - requests 10m CPU and 48Mi memory, limit 512Mi memory; no CPU limit, as throttling fails probes
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Tolerations of the pods.
   * @default - every taint: the proxy runs before the CNI and the cloud controller have made nodes ready
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Nodes that may run a proxy.
   * @default - kubernetes.io/os: linux
   */
  readonly nodeSelector?: { [name: string]: string };
  /**
   * Affinity of the pods.
   * @default - none; replicas are spread over nodes
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Names that the pods resolve without DNS, e.g. the API host before DNS knows it. A name given here is
   * read when HAProxy starts; a changed address needs a changed manifest.
   * @default - none
   */
  readonly hostAliases?: TcpProxyHostAlias[];
  /**
   * Priority class of the pods.
   * @default - system-node-critical on every node, else system-cluster-critical
   */
  readonly priorityClassName?: string;
  /**
   * Annotations of the pods.
   * @default - a checksum of the configuration alone
   */
  readonly podAnnotations?: { [name: string]: string };
  /**
   * Labels of the pods.
   * @default - the selector's alone
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Labels of every object.
   * @default - app.kubernetes.io/name and app.kubernetes.io/instance alone
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations of the workload, e.g. for tools that restart it.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
  /**
   * Emit a NetworkPolicy for the proxy. Few CNIs apply policies to pods with host network.
   * @default false
   */
  readonly networkPolicy?: boolean;
}
