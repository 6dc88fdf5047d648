import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { primaryAdvertiseAddress, validateAdvertiseAddresses, validateUpstreamAddress } from './addresses';
import { validateCombination } from './combinations';
import { connectionLimit } from './connection-limit';
import { TcpProxyEndpoints } from './endpoints';
import { tcpProxyHaproxyConfig, TcpProxyPaths } from './haproxy-config';
import { DEFAULT_TCP_PROXY_IMAGE, warnOfFloatingImage } from './image';
import { addKubernetesService, addNetworkPolicy, addScrapeService } from './network-objects';
import { NodeFile, staticPodFiles } from './node-files';
import { TcpProxyPlacement } from './placement';
import { CONTAINER_PATHS, PodOptions } from './pod';
import { addRbac } from './rbac';
import { TcpProxyUpstream } from './upstream';
import { unprivilegedPort, validateTcpProxyProps } from './validation';
import { addDisruptionBudget, addWorkload } from './workload';
import { CertificateUse } from '../certificates/certificate-use';
import { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import { Exposure } from '../control-plane/exposure';
import { IngressExposedControlPlane } from '../control-plane/ingress-exposed-control-plane';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { TenantSide } from '../control-plane/tenant-side';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { claimObjects } from '../validation/object-claims';

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
   * @default - what fits into the memory limit: 32Mi for the idle pod and 76Ki for a connection
   */
  readonly maxConnections?: number;
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
   * @default - requests 10m CPU and 48Mi memory, limit 64Mi memory; no CPU limit, as throttling fails probes
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

/**
 * Makes `kubernetes.default.svc` work inside a tenant cluster whose API server is behind a shared address.
 * Belongs into a chart for the tenant cluster.
 */
export class TcpProxyAddon extends Construct {
  /** The exposure that the proxy leads to. */
  public readonly exposure: Exposure;
  /** The complete HAProxy configuration, as it runs. */
  public readonly haproxyConfig: string;
  /** The files for every node, with a static pod; empty otherwise. */
  public readonly nodeFiles: NodeFile[];
  /** The Deployment or DaemonSet; undefined with a static pod. */
  public readonly workload?: ApiObject;
  /**
   * Helm values that let a CNI reach the API server before any Service works, in the names of Cilium's
   * chart: the advertise address where every node has one, else the public endpoint.
   */
  public readonly cniValues: { [key: string]: string };

  public constructor(scope: Construct, id: string, props: TcpProxyAddonProps) {
    super(scope, id);
    this.exposure = exposureOf(props);
    const name = validateDns1035Label('name', props.name ?? 'tcp-proxy');
    const namespace = validateDns1123Label('namespace', props.namespace ?? 'kube-system');
    const placement = props.placement ?? TcpProxyPlacement.replicas();
    const endpoints = props.endpoints ?? TcpProxyEndpoints.owned();
    const upstream = (props.upstream ?? TcpProxyUpstream.sni())._bind(this.exposure);
    const listenPort = unprivilegedPort('listenPort', props.listenPort ?? 6443);
    const healthPort = unprivilegedPort('healthPort', props.healthPort ?? 8404);
    if (listenPort === healthPort) {
      throw invalidInput('healthPort', healthPort, 'is also the listenPort', 'Give the two different ports');
    }
    validateCombination({ upstream, placement, endpoints, namespace, listenPort, apiServerPort: this.exposure.routes[0].servicePort });
    validateAdvertiseAddresses(endpoints, this.exposure);
    validateUpstreamAddress(upstream, this.exposure, endpoints);
    validateTcpProxyProps(props, upstream, placement);

    const onEveryNode = placement._kind !== 'replicas';
    const resources = props.resources ?? {
      requests: { cpu: k8s.Quantity.fromString('10m'), memory: k8s.Quantity.fromString('48Mi') },
      limits: { memory: k8s.Quantity.fromString('64Mi') },
    };
    const selectorLabels = { 'app.kubernetes.io/name': 'tcp-proxy', 'app.kubernetes.io/instance': name };
    const labels = { ...props.labels, ...selectorLabels };
    const gracePeriodSeconds = seconds('gracePeriodSeconds', props.gracePeriodSeconds ?? 60, 1);
    const image = props.image ?? DEFAULT_TCP_PROXY_IMAGE;
    warnOfFloatingImage(this, image);

    const configFor = (paths: TcpProxyPaths) => tcpProxyHaproxyConfig({
      paths,
      upstream,
      listenAddresses: endpoints._advertise?.addresses ?? [],
      families: this.exposure.kubernetesServiceIps.map(ip => ipFamily(ip)!),
      listenPort,
      maxConnections: props.maxConnections ?? connectionLimit(resources.limits?.memory),
      threads: props.threads,
      http2: props.http2 ?? true,
      hostAliased: (props.hostAliases ?? []).some(alias => alias.hostnames.includes(upstream.host)),
      gracePeriodSeconds,
      tunnelTimeoutSeconds: seconds('tunnelTimeoutSeconds', props.tunnelTimeoutSeconds ?? 86400, 3600),
    }).render();
    this.haproxyConfig = configFor(CONTAINER_PATHS);

    const opensTls = upstream.mode === 'tls';
    const use: CertificateUse = {
      tcpProxy: this,
      name,
      namespace,
      exposure: this.exposure,
      advertiseAddresses: endpoints._advertise?.addresses ?? [],
      apiServerAdvertises: endpoints._kind === 'fixed-address',
    };
    const pod: PodOptions = {
      name,
      exposure: this.exposure,
      endpoints,
      placement,
      image,
      imagePullPolicy: props.imagePullPolicy,
      imagePullSecrets: props.imagePullSecrets,
      resources,
      tolerations: props.tolerations ?? [{ operator: 'Exists' }],
      nodeSelector: props.nodeSelector ?? { 'kubernetes.io/os': 'linux' },
      affinity: props.affinity,
      hostAliases: props.hostAliases,
      priorityClassName: props.priorityClassName ?? (onEveryNode ? 'system-node-critical' : 'system-cluster-critical'),
      podAnnotations: props.podAnnotations,
      podLabels: { ...props.podLabels, ...selectorLabels },
      selectorLabels,
      listenPort,
      healthPort,
      opensTls,
      certificate: opensTls && placement._kind !== 'static-pod' ? (props.certificate ?? TcpProxyCertificate._default(use))._bind(use) : undefined,
      propagationDelaySeconds: seconds('propagationDelaySeconds', props.propagationDelaySeconds ?? 5, 0),
      gracePeriodSeconds,
      logLevel: props.logLevel ?? 'info',
      haproxyConfig: this.haproxyConfig,
    };

    const advertiseAddress = primaryAdvertiseAddress(endpoints, this.exposure);
    TenantSide.of(this.exposure)?.attach(this, {
      endpointsOwnedByTcpProxy: endpoints._kind !== 'fixed-address',
      advertiseAddress: endpoints._kind === 'fixed-address' ? advertiseAddress : undefined,
    });
    TenantSide.recordTcpProxy(this.exposure, {
      name,
      namespace,
      placement: placement._kind,
      replicas: placement._replicas,
      upstream: upstream.mode === 'tls' ? 'sni' : upstream.proxyProtocol ? 'shared-gateway' : 'direct',
      upstreamHost: upstream.host,
      upstreamPort: upstream.port,
      listenPort,
      healthPort,
      advertiseAddresses: endpoints._advertise?.addresses ?? [],
    });
    this.cniValues = advertiseAddress === undefined
      ? this.exposure.cniValues
      : { k8sServiceHost: advertiseAddress, k8sServicePort: String(listenPort) };

    this.nodeFiles = staticPodFiles(pod, namespace);
    const target = { name, namespace, labels };
    const metadata = { name: this.nodeFiles.length > 0 ? `${name}-node-files` : `${name}-haproxy`, namespace, labels };
    new ApiObject(this, 'config', k8s.KubeConfigMap.manifest({
      metadata,
      data: this.nodeFiles.length > 0
        ? Object.fromEntries(this.nodeFiles.map(file => [file.path.replace(/^.*\//, ''), file.content]))
        : { 'haproxy.cfg': this.haproxyConfig },
    }));
    if (placement._kind !== 'static-pod') {
      new ApiObject(this, 'service-account', k8s.KubeServiceAccount.manifest({ metadata: target, automountServiceAccountToken: false }));
      this.workload = addWorkload(this, pod, target, props.annotations);
      addDisruptionBudget(this, pod, target);
    }
    if (endpoints._kind === 'owned') {
      addRbac(this, name, namespace, labels);
      DeliveredTenant.of(this)?.ownKubernetesEndpoints();
    }
    if (endpoints._kind === 'kubernetes-service') {
      addKubernetesService(this, pod, labels);
    }
    addScrapeService(this, pod, target);
    if (props.networkPolicy) {
      addNetworkPolicy(this, pod, target, upstream.port);
    }
    claimObjects(this, tenantClusterOf(this.exposure));
  }
}

function exposureOf(props: TcpProxyAddonProps): Exposure {
  if ((props.controlPlane === undefined) === (props.exposure === undefined)) {
    throw new Error('controlPlane, exposure: exactly one of the two must be given. ' +
      'Give controlPlane for a control plane of this app, exposure for any other.');
  }
  return props.exposure ?? props.controlPlane!.exposure;
}

function seconds(field: string, value: number, minimum: number): number {
  if (!Number.isInteger(value) || value < minimum) {
    throw invalidInput(field, value, `is not a whole number of at least ${minimum}`, `Give seconds, ${minimum} or more`);
  }
  return value;
}
