import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { primaryAdvertiseAddress, validateAdvertiseAddresses, validateUpstreamAddress } from './addresses';
import { validateCombination } from './combinations';
import { TcpProxyEndpoints } from './endpoints';
import { tcpProxyHaproxyConfig } from './haproxy-config';
import { addKubernetesService, addNetworkPolicy } from './network-objects';
import { NodeFile, staticPodFiles } from './node-files';
import { TcpProxyPlacement } from './placement';
import { CONTAINER_PATHS, PodOptions } from './pod';
import { addRbac } from './rbac';
import { defaultTcpProxyResources, resolveTcpProxy, TCP_PROXY_DEFAULTS } from './settings';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import { TCP_PROXY_CHECKS } from './tcp-proxy-checks';
import { TcpProxyUpstream } from './upstream';
import { requireProxyPath, validateForPlacement, validateTcpProxyProps, validateWithoutEffect } from './validation';
import { addWorkload } from './workload';
import { AgentWorkload } from '../agent/agent-workload';
import { CONFIG_FILE } from '../agent/contract/paths';
import { CertificateUse } from '../certificates/certificate-use';
import { TcpProxyCertificate } from '../certificates/tcp-proxy-certificate';
import { TunnelCertificate, TunnelCertificateObjects } from '../certificates/tunnel-certificate';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { TenantSide } from '../control-plane/tenant-side';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { GAPS_ANNOTATION, gapsValue } from '../manifests/gaps';
import { Exposure } from '../model/exposure';
import { recordTcpProxy } from '../model/tcp-proxy-facts';
import { configMapManifest } from '../objects/kubernetes';
import { claimObjects } from '../synthesis/object-claims';
import { InvalidInputError, invalidInput, placed } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

/**
 * Makes `kubernetes.default.svc` work inside a tenant cluster whose API server is behind a shared address.
 * Belongs into a chart for the tenant cluster.
 *
 * @example
 * new TcpProxyAddon(tenant, 'tcp-proxy', {
 *   controlPlane,
 *   placement: TcpProxyPlacement.everyNode(),
 * });
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
      requireProxyPath(this.exposure);
      const endpoints = props.endpoints ?? TcpProxyEndpoints.owned();
      TenantSide.of(this.exposure)?.requirePossible(endpoints._kind === 'fixed-address' ? endpoints._advertise?.addresses[0] : undefined);
      validateTcpProxyProps(props);
      const name = validateDns1035Label('name', props.name ?? TCP_PROXY_DEFAULTS.name);
      const namespace = validateDns1123Label('namespace', props.namespace ?? TCP_PROXY_DEFAULTS.namespace);
      const placement = props.placement ?? TcpProxyPlacement.replicas();
      const workload = new AgentWorkload(props, {
        command: 'serve',
        app: 'tcp-proxy',
        name,
        namespace,
        defaults: {
          resources: defaultTcpProxyResources(),
          priorityClassName: placement._kind === 'replicas' ? undefined : 'system-node-critical',
          tolerations: [{ operator: 'Exists' }],
        },
      });
      workload.warn(this);
      const chosen = props.upstream ?? TcpProxyUpstream.sni();
      const upstream = chosen._bind(this.exposure);
      const settings = resolveTcpProxy(props, upstream.tunnel ? 'tls' : upstream.mode);
      const { healthPort, haproxy: { listenPort } } = settings;
      if (listenPort === healthPort) {
        throw invalidInput('healthPort', healthPort, 'is also the listenPort', 'Give the two different ports');
      }
      const [{ servicePort, podPort = servicePort }] = this.exposure.routes;
      validateCombination({ upstream, placement, endpoints, namespace, listenPort, apiServerPort: podPort });
      validateAdvertiseAddresses(endpoints, this.exposure);
      validateUpstreamAddress(upstream, this.exposure, endpoints);
      validateForPlacement(props, placement);
      validateWithoutEffect(props, upstream);

      this.haproxyConfig = tcpProxyHaproxyConfig({
        ...settings.haproxy,
        paths: CONTAINER_PATHS,
        upstream,
        listenAddresses: endpoints._advertise?.addresses ?? [],
        families: this.exposure.kubernetesServiceIps.map(ip => ipFamily(ip)!),
        hostAliased: (props.hostAliases ?? []).some(alias => alias.hostnames.includes(upstream.host)),
      }).render();

      const opensTls = upstream.mode === 'tls';
      const use: CertificateUse = {
        tcpProxy: this,
        name,
        namespace,
        exposure: this.exposure,
        advertiseAddresses: endpoints._advertise?.addresses ?? [],
        apiServerAdvertises: endpoints._kind === 'fixed-address',
      };
      const certificate = opensTls ? certificateOf(props, placement, use) : undefined;
      const pod: PodOptions = {
        workload,
        settings,
        exposure: this.exposure,
        endpoints,
        placement,
        hostAliases: props.hostAliases,
        podAnnotations: props.podAnnotations,
        opensTls,
        certificate: placement._nodeFolders ? undefined : certificate?._bind(use),
        tunnels: upstream.tunnel !== undefined,
        tunnelCertificate: placement._nodeFolders ? undefined : bindTunnel(chosen, use),
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
        upstream: upstream.mode === 'tls' ? 'sni' : upstream.tunnel ? 'tunnel' : upstream.proxyProtocol ? 'shared-gateway' : 'direct',
        upstreamHost: upstream.host,
        upstreamPort: upstream.port,
        listenPort,
        healthPort,
        advertiseAddresses: endpoints._advertise?.addresses ?? [],
        certificate: certificate && (certificate._isMissing ? 'none' : certificate._title),
      });
      this.cniValues = advertiseAddress === undefined
        ? this.exposure.cniValues
        : { k8sServiceHost: advertiseAddress, k8sServicePort: String(listenPort) };

      this.nodeFiles = staticPodFiles(pod);
      const config = new ApiObject(this, 'config', configMapManifest({
        metadata: { ...workload.metadata, name: this.nodeFiles.length > 0 ? `${name}-node-files` : `${name}-haproxy` },
        data: this.nodeFiles.length > 0
          ? Object.fromEntries(this.nodeFiles.map(file => [file.path.replace(/^.*\//, ''), file.content]))
          : { [CONFIG_FILE]: this.haproxyConfig },
      }));
      if (certificate?._isMissing) {
        config.metadata.addAnnotation(GAPS_ANNOTATION, gapsValue(['certificate'])!);
      }
      if (placement._kind !== 'static-pod') {
        workload.addServiceAccount(this);
        this.workload = addWorkload(this, pod);
      }
      if (endpoints._kind === 'owned') {
        addRbac(this, workload);
        DeliveredTenant.of(this)?.ownKubernetesEndpoints();
      }
      if (endpoints._kind === 'kubernetes-service') {
        addKubernetesService(this, pod);
      }
      workload.addMonitoring(this, 'service', healthPort);
      if (props.networkPolicy) {
        addNetworkPolicy(this, pod, upstream.port);
      }
      claimObjects(this, tenantClusterOf(this.exposure));
    } catch (error) {
      throw placed(this, error);
    }
  }
}

function certificateOf({ certificate }: TcpProxyAddonProps, { _nodeFolders: folders }: TcpProxyPlacement, use: CertificateUse): TcpProxyCertificate {
  return certificate ?? (folders ? TcpProxyCertificate._defaultOnNodes(use.tcpProxy, folders.configFolder) : TcpProxyCertificate._default(use));
}

function bindTunnel({ _tunnel: tunnel }: TcpProxyUpstream, use: CertificateUse): TunnelCertificateObjects | undefined {
  const tunnelUse = { ...use, issuer: tunnel?.issuer };
  return tunnel && (tunnel.certificate ?? TunnelCertificate._default(tunnelUse))._bind(tunnelUse);
}

function exposureOf(props: TcpProxyAddonProps): Exposure {
  if ((props.controlPlane === undefined) === (props.exposure === undefined)) {
    throw new InvalidInputError({
      field: 'controlPlane, exposure', value: undefined, reason: 'exactly one of the two must be given', remedy: 'Give controlPlane for a control plane of this app, exposure for any other',
    }, 'exactly one of the two must be given. Give controlPlane for a control plane of this app, exposure for any other.');
  }
  return props.exposure ?? props.controlPlane!.exposure;
}
