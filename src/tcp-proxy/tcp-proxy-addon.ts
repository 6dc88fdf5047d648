import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { primaryAdvertiseAddress, validateAdvertiseAddresses, validateUpstreamAddress } from './addresses';
import { validateCombination } from './combinations';
import { TcpProxyEndpoints } from './endpoints';
import { tcpProxyHaproxyConfig, TcpProxyPaths } from './haproxy-config';
import { addKubernetesService, addNetworkPolicy, addScrapeService } from './network-objects';
import { NodeFile, staticPodFiles } from './node-files';
import { TcpProxyPlacement } from './placement';
import { CONTAINER_PATHS, PodOptions } from './pod';
import { addRbac } from './rbac';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import { TCP_PROXY_CHECKS } from './tcp-proxy-checks';
import { TcpProxyUpstream } from './upstream';
import { unprivilegedPort, validateTcpProxyProps } from './validation';
import { addDisruptionBudget, addWorkload } from './workload';
import { DEFAULT_TCP_PROXY_IMAGE, warnOfFloatingImage } from '../agent/image';
import { CertificateUse } from '../certificates/certificate-use';
import { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { TenantSide } from '../control-plane/tenant-side';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { memoryShares, OPENED_TLS, PASSED_BYTES } from '../haproxy/memory-limit';
import { resolveShares } from '../haproxy/resolve-shares';
import { Exposure } from '../model/exposure';
import { recordTcpProxy } from '../model/tcp-proxy-facts';
import { claimObjects } from '../synthesis/object-claims';
import { InvalidInputError, invalidInput, placed } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

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
    try {
      this.exposure = exposureOf(checkProps('', required('props', props, 'Give controlPlane, or exposure'), TCP_PROXY_CHECKS));
      const endpoints = props.endpoints ?? TcpProxyEndpoints.owned();
      TenantSide.of(this.exposure)?.requirePossible(endpoints._kind === 'fixed-address' ? endpoints._advertise?.addresses[0] : undefined);
      const name = validateDns1035Label('name', props.name ?? 'tcp-proxy');
      const namespace = validateDns1123Label('namespace', props.namespace ?? 'kube-system');
      const placement = props.placement ?? TcpProxyPlacement.replicas();
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
        limits: { memory: k8s.Quantity.fromString('512Mi') },
      };
      const selectorLabels = { 'app.kubernetes.io/name': 'tcp-proxy', 'app.kubernetes.io/instance': name };
      const labels = { ...props.labels, ...selectorLabels };
      const gracePeriodSeconds = seconds('gracePeriodSeconds', props.gracePeriodSeconds ?? 60, 1);
      const image = props.image ?? DEFAULT_TCP_PROXY_IMAGE;
      warnOfFloatingImage(this, image);

      const memory = memoryShares(upstream.mode === 'tls' ? OPENED_TLS : PASSED_BYTES, resources.limits?.memory);
      const maxConnections = props.maxConnections ?? memory.connections;
      const configFor = (paths: TcpProxyPaths) => tcpProxyHaproxyConfig({
        paths,
        upstream,
        listenAddresses: endpoints._advertise?.addresses ?? [],
        families: this.exposure.kubernetesServiceIps.map(ip => ipFamily(ip)!),
        listenPort,
        maxConnections,
        limits: resolveShares(maxConnections, props.shares, { perSource: 1 / 4 }),
        socketBuffers: memory.socketBuffers,
        threads: props.threads,
        http2: props.http2 ?? true,
        hostAliased: (props.hostAliases ?? []).some(alias => alias.hostnames.includes(upstream.host)),
        reloadGraceSeconds: seconds('reloadGraceSeconds', props.reloadGraceSeconds ?? 21_600, 1),
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
      recordTcpProxy(this.exposure, {
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
    } catch (error) {
      throw placed(this, error);
    }
  }
}

function exposureOf(props: TcpProxyAddonProps): Exposure {
  if ((props.controlPlane === undefined) === (props.exposure === undefined)) {
    throw new InvalidInputError({
      field: 'controlPlane, exposure', value: undefined, reason: 'exactly one of the two must be given', remedy: 'Give controlPlane for a control plane of this app, exposure for any other',
    }, 'exactly one of the two must be given. Give controlPlane for a control plane of this app, exposure for any other.');
  }
  return props.exposure ?? props.controlPlane!.exposure;
}

function seconds(field: string, value: number, minimum: number): number {
  if (!Number.isInteger(value) || value < minimum) {
    throw invalidInput(field, value, `is not a whole number of at least ${minimum}`, `Give seconds, ${minimum} or more`);
  }
  return value;
}
