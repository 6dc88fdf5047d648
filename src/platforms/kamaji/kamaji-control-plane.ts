import { GroupVersionKind } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import {
  KamajiControlPlane, KamajiControlPlaneSpec, KamajiControlPlaneSpecAddons, KamajiControlPlaneSpecNetwork, KamajiControlPlaneSpecNetworkServiceType,
} from '../../imports/controlplane.cluster.x-k8s.io';
import { DEFAULT_API_PORT } from '../../manifests/tenant-control-plane-facts';
import { API_ROUTE, Exposure } from '../../model/exposure';
import { ApiServerCertificate, certificateMounts } from '../api-server-certificates';
import { apiServerArgs } from '../component-args';
import { quantities } from '../component-resources';
import { OperatorObject, PlatformBindOptions, PlatformDefaults } from '../control-plane-platform';
import { KAMAJI, kamajiDefaults, kamajiIngressHostname, validateKamajiExposure } from './kamaji';
import { PassthroughRoute } from '../../model/exposure-props';
import { HostnamePattern } from '../../model/hostname-pattern';
import { Warnings } from '../../synthesis/warnings';
import { validateRegistry } from '../../validation/image-reference';
import { invalidInput } from '../../validation/invalid-input';
import { Checks, oneOf, optional } from '../../validation/props';
import { dnsServiceIps } from '../tenant-control-plane/dns-service-ips';
import { RoutedBy, TenantControlPlanePlatform } from '../tenant-control-plane/tenant-control-plane';
import { TENANT_CONTROL_PLANE } from '../tenant-control-plane/tenant-control-plane-checks';
import { OperatorRoutes, TenantControlPlaneProps } from '../tenant-control-plane/tenant-control-plane-props';
import { enumValue, konnectivityAddon, listUnlessEmpty, servicePort, unlessEmpty } from '../tenant-control-plane/tenant-control-plane-spec';

/** What Kamaji uses when the Cluster object does not say otherwise. */
const CLUSTER_DEFAULTS = { serviceCidr: '10.96.0.0/16', podCidr: '10.244.0.0/16', domain: 'cluster.local' };

/** The provider reads the port of Kamaji's endpoint as a number of 16 bits with a sign (its `controlPlaneEndpoint`). */
const LAST_PORT = 32_767;

/** A KamajiControlPlane of Cluster API. */
export interface KamajiControlPlaneProps extends TenantControlPlaneProps {
  /**
   * What Kamaji creates routes with.
   * @default OperatorRoutes.NONE
   */
  readonly operatorRoutes?: OperatorRoutes;
  /**
   * Registry that images of the components come from.
   * @default registry.k8s.io
   */
  readonly registry?: string;
}

const CHECKS: Checks<KamajiControlPlaneProps> = {
  ...TENANT_CONTROL_PLANE,
  operatorRoutes: optional(oneOf(OperatorRoutes)),
  registry: optional(validateRegistry),
};

/**
 * `controlplane.cluster.x-k8s.io/v1alpha2` KamajiControlPlane, the control plane provider of Cluster API for Kamaji.
 *
 * The provider creates a TenantControlPlane of the same name and namespace (its `createOrUpdateTenantControlPlane`),
 * so the Service has that name too, and the API host becomes a SAN. What Kamaji creates then, and what is avoided,
 * is as with Kamaji alone.
 *
 * The networks, the cluster domain and the API server's port come from `spec.clusterNetwork` of the Cluster object,
 * which this library does not emit: give the same values there. The provider takes the first network of each list
 * only up to its 0.20, so there is no dual stack.
 */
export class KamajiControlPlanePlatform extends TenantControlPlanePlatform {
  /** @internal */
  protected declare readonly _props: KamajiControlPlaneProps;
  public readonly type: string = 'kamaji-control-plane';
  /** @internal */
  protected readonly _gvk: GroupVersionKind = KamajiControlPlane.GVK;
  /** @internal */
  protected readonly _hostnamePattern = HostnamePattern.kamaji();

  public constructor(props: KamajiControlPlaneProps = {}) {
    super(props, CHECKS, KAMAJI, props?.operatorRoutes);
  }

  public defaults(name: string, namespace: string): PlatformDefaults {
    return {
      ...kamajiDefaults(super.defaults(name, namespace), this._props.operatorRoutes),
      // The provider keeps a Secret for Cluster API that has this name too where the Cluster is called like the control
      // plane, with these keys alone (its createOrUpdateCertificateAuthority); Kamaji's has them as well.
      clusterCa: { secretName: `${name}-ca`, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      clusterApiCluster: name,
    };
  }

  /** Beside the TenantControlPlane and its objects, what Cluster API wants (the provider's `createOrUpdateKubeconfig`). */
  public override operatorObjects(exposure: Exposure, operatorRoutes: PassthroughRoute[], kubernetesVersion?: string): OperatorObject[] {
    return [
      ...super.operatorObjects(exposure, operatorRoutes, kubernetesVersion),
      { kind: 'TenantControlPlane', group: KAMAJI.group, name: exposure.name },
      { kind: 'Secret', group: '', name: `${exposure.name}-kubeconfig` },
    ];
  }

  /** @internal */
  protected _validateExposure(scope: Construct, { exposure }: PlatformBindOptions, routedBy: OperatorRoutes): void {
    for (const [field, cidrs] of Object.entries({ 'network.serviceCidrs': exposure.serviceCidrs, 'network.podCidrs': exposure.podCidrs })) {
      if (cidrs.length > 1) {
        throw invalidInput(field, cidrs, 'are two networks; the provider passes on the first of the Cluster object alone',
          'Give one network, or use ControlPlanePlatform.kamaji(), which has dual stack');
      }
    }
    const apiPort = exposure.routes[0].servicePort;
    if (apiPort > LAST_PORT) {
      throw invalidInput('apiPort', apiPort, `is above ${LAST_PORT}, which Cluster API's provider cannot read, so that the Cluster would never have an endpoint`,
        `Give a port up to ${LAST_PORT}, or use ControlPlanePlatform.kamaji()`);
    }
    validateKamajiExposure(exposure, routedBy);
    this.warnAboutCluster(scope, exposure);
  }

  /** @internal */
  protected _spec(options: PlatformBindOptions, routedBy: RoutedBy): any {
    const { exposure, apiServer } = options;
    const { extraArgs, resources, ...props } = this._props;
    const component = (args?: string[], amounts?: k8s.ResourceRequirements) =>
      unlessEmpty({ extraArgs: listUnlessEmpty(args), resources: quantities(amounts) });
    const spec: KamajiControlPlaneSpec = {
      version: `v${options.kubernetesVersion}`,
      replicas: props.replicas,
      dataStoreName: props.dataStore,
      dataStoreSchema: props.dataStoreSchema,
      dataStoreUsername: props.dataStoreUsername,
      registry: props.registry,
      apiServer: component(apiServerArgs(apiServer, extraArgs?.apiServer, options.certificates), resources?.apiServer),
      controllerManager: component(extraArgs?.controllerManager, resources?.controllerManager),
      scheduler: component(extraArgs?.scheduler, resources?.scheduler),
      kine: component(extraArgs?.kine, resources?.kine),
      deployment: unlessEmpty({
        nodeSelector: props.nodeSelector,
        tolerations: props.tolerations,
        topologySpreadConstraints: props.topologySpreadConstraints,
        podAdditionalMetadata: unlessEmpty({ labels: props.podLabels, annotations: props.podAnnotations }),
      }),
      kubelet: props.kubeletAddressTypes && { preferredAddressTypes: props.kubeletAddressTypes.map(type => enumValue(type)) },
      admissionControllers: props.admissionControllers?.map(name => enumValue(name)),
      addons: this.addons(options),
      network: {
        // The provider's default is LoadBalancer: an address per tenant.
        serviceType: KamajiControlPlaneSpecNetworkServiceType.CLUSTER_IP,
        certSaNs: exposure.certSans,
        dnsServiceIPs: dnsServiceIps(exposure, this._props.coreDns !== undefined),
        advertiseAddress: apiServer.advertiseAddress,
        additionalServicePorts: props.additionalPorts?.map(servicePort) as unknown as KamajiControlPlaneSpecNetwork['additionalServicePorts'],
        ...publicEndpoint(exposure, routedBy),
      },
    };
    return withCertificates(KamajiControlPlane.manifest({ spec }).spec, options.certificates);
  }

  private addons(options: PlatformBindOptions): KamajiControlPlaneSpecAddons | undefined {
    const { coreDns, kubeProxy } = this._props;
    return unlessEmpty({
      // With CoreDNS the provider reads the addresses here, and ignores those of the network.
      coreDns: coreDns && { ...coreDns, dnsServiceIPs: dnsServiceIps(options.exposure, true) },
      kubeProxy,
      konnectivity: konnectivityAddon(this._props, options) as unknown as KamajiControlPlaneSpecAddons['konnectivity'],
    });
  }

  private warnAboutCluster(scope: Construct, exposure: Exposure): void {
    const fields: [string, string | number, string | number][] = [
      ['network.serviceCidrs', exposure.serviceCidrs[0], CLUSTER_DEFAULTS.serviceCidr],
      ['network.podCidrs', exposure.podCidrs[0], CLUSTER_DEFAULTS.podCidr],
      ['network.clusterDomain', exposure.clusterDomain, CLUSTER_DEFAULTS.domain],
      ['apiPort', exposure.routes[0].servicePort, DEFAULT_API_PORT],
    ];
    const differing = fields.filter(([, value, standard]) => value !== standard).map(([field, value]) => `${field} ${value}`);
    if (differing.length > 0) {
      Warnings._add(scope, `${differing.join(', ')}: of ${exposure.namespace}/${exposure.name} reach Kamaji through the Cluster object alone. ` +
        'Give the same values in its spec.clusterNetwork.');
    }
  }
}

/** Adds the certificates of entries to a spec; the generated class does not know these fields. */
function withCertificates(spec: any, certificates: ApiServerCertificate[] = []): any {
  const { volumes, mounts } = certificateMounts(certificates);
  return certificates.length === 0 ? spec : {
    ...spec,
    apiServer: { ...spec.apiServer, extraVolumeMounts: mounts },
    deployment: { ...spec.deployment, extraVolumes: volumes },
  };
}

function publicEndpoint(exposure: Exposure, routedBy: RoutedBy): Partial<KamajiControlPlaneSpecNetwork> {
  if (routedBy.by === OperatorRoutes.GATEWAY) {
    const { name, namespace } = routedBy.gateway;
    // Without a port the provider gives the Cluster 443 (its `controlPlaneEndpoint`); Kamaji gets the host alone from it.
    return { gateway: { hostname: exposure.api.toString(), name, namespace, sectionName: API_ROUTE } };
  }
  return {
    ingress: {
      hostname: kamajiIngressHostname(exposure),
      className: routedBy.ingressClassName,
      extraAnnotations: routedBy.by === OperatorRoutes.INGRESS ? routedBy.annotations : undefined,
    },
  };
}
