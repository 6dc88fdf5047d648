import { GroupVersionKind } from 'cdk8s';
import { Construct } from 'constructs';
import { parentRef } from '../../controllers/gateway-ref';
import { TenantControlPlane, TenantControlPlaneSpecControlPlane, TenantControlPlaneSpecNetworkProfile } from '../../imports/kamaji.clastix.io';
import { KAMAJI_GROUP } from '../../manifests/tenant-control-plane-facts';
import { API_ROUTE, Exposure } from '../../model/exposure';
import { HostnamePattern } from '../../model/hostname-pattern';
import { invalidInput } from '../../validation/invalid-input';
import { ipFamily } from '../../validation/ip-network';
import { Checks, oneOf, optional, struct } from '../../validation/props';
import { KUBERNETES_UNDER_KAMAJI } from '../../versions/kubernetes';
import { PlatformBindOptions, PlatformDefaults } from '../control-plane-platform';
import { RoutedBy, TenantControlPlanePlatform } from '../tenant-control-plane/tenant-control-plane';
import { REGISTRY_SETTINGS, TENANT_CONTROL_PLANE } from '../tenant-control-plane/tenant-control-plane-checks';
import { TenantControlPlaneOperator } from '../tenant-control-plane/tenant-control-plane-operator';
import { OperatorRoutes, RegistrySettings, TenantControlPlaneProps } from '../tenant-control-plane/tenant-control-plane-props';
import { tenantControlPlaneSpec, withCertificates } from '../tenant-control-plane/tenant-control-plane-spec';

/** Kamaji, as of its release 26.8. */
export const KAMAJI: TenantControlPlaneOperator = {
  name: 'Kamaji',
  group: KAMAJI_GROUP,
  kubernetes: KUBERNETES_UNDER_KAMAJI,
  managedFlags: 'is computed by Kamaji, which drops other values silently',
};

/** Kamaji's limit on `dnsServiceIPs`. */
const MAX_DNS_SERVICE_IPS = 8;

/** A TenantControlPlane of Kamaji. */
export interface KamajiProps extends TenantControlPlaneProps {
  /**
   * What Kamaji creates routes with.
   * @default OperatorRoutes.NONE
   */
  readonly operatorRoutes?: OperatorRoutes;
  /**
   * Where images of the components come from.
   * @default - registry.k8s.io
   */
  readonly registrySettings?: RegistrySettings;
}

const CHECKS: Checks<KamajiProps> = {
  ...TENANT_CONTROL_PLANE,
  operatorRoutes: optional(oneOf(OperatorRoutes)),
  registrySettings: optional(struct(REGISTRY_SETTINGS)),
};

/**
 * `kamaji.clastix.io/v1alpha1` TenantControlPlane.
 *
 * By itself Kamaji creates, for `ingress`, one Ingress for the API server, without `tls`, annotations or a host
 * for konnectivity; for `gateway`, TLSRoutes (`gateway.networking.k8s.io/v1`) for the API server and konnectivity.
 *
 * Avoided here:
 * - without a port in `ingress.hostname`, kubeconfigs point at 6443 (cozystack#674), so it is written there, and
 *   nowhere else: in a SAN it makes Kamaji renew the certificate for ever (kamaji#679);
 * - Kamaji does not tell konnectivity agents about the ingress, so their arguments are given;
 * - without `sectionName` the status of the Gateway fails on every reconciliation (kamaji#1083).
 */
export class KamajiPlatform extends TenantControlPlanePlatform {
  /** @internal */
  protected declare readonly _props: KamajiProps;
  public readonly type: string = 'kamaji';
  /** @internal */
  protected readonly _gvk: GroupVersionKind = TenantControlPlane.GVK;
  /** @internal */
  protected readonly _hostnamePattern = HostnamePattern.kamaji();

  public constructor(props: KamajiProps = {}) {
    super(props, CHECKS, KAMAJI, props?.operatorRoutes);
  }

  public defaults(name: string, namespace: string): PlatformDefaults {
    return kamajiDefaults(super.defaults(name, namespace), this._props.operatorRoutes);
  }

  /** @internal */
  protected _validateExposure(_scope: Construct, { exposure }: PlatformBindOptions, routedBy: OperatorRoutes): void {
    validateKamajiExposure(exposure, routedBy);
  }

  /** @internal */
  protected _spec(options: PlatformBindOptions, routedBy: RoutedBy): any {
    const shared = tenantControlPlaneSpec(this._props, this._props.registrySettings, options);
    return withCertificates(TenantControlPlane.manifest({
      spec: {
        ...shared,
        controlPlane: { ...shared.controlPlane, ...publicEndpoint(options.exposure, routedBy) },
        networkProfile: {
          ...shared.networkProfile,
          ...networks(options.exposure),
          advertiseAddress: options.apiServer.advertiseAddress,
        },
      },
    }).spec, options.certificates);
  }
}

/** With a Gateway, Kamaji exposes konnectivity on the host of the API server. */
export function kamajiDefaults(defaults: PlatformDefaults, routes: OperatorRoutes | undefined): PlatformDefaults {
  return { ...defaults, konnectivitySharesHostname: routes === OperatorRoutes.GATEWAY };
}

/** `host:port`: Kamaji takes the port of kubeconfigs from here, and only from here. */
export function kamajiIngressHostname(exposure: Exposure): string {
  return exposure.api.toString();
}

/** Checks what Kamaji cannot do. */
export function validateKamajiExposure(exposure: Exposure, routedBy: OperatorRoutes): void {
  if (exposure.dnsServiceIps.length > MAX_DNS_SERVICE_IPS) {
    throw invalidInput('network.dnsServiceIps', exposure.dnsServiceIps, `are ${exposure.dnsServiceIps.length} addresses; Kamaji takes ${MAX_DNS_SERVICE_IPS}`,
      'Give fewer');
  }
  requireSortedNetworks('network.serviceCidrs', exposure.serviceCidrs);
  requireSortedNetworks('network.podCidrs', exposure.podCidrs);
  if (routedBy !== OperatorRoutes.GATEWAY) {
    return;
  }
  const [apiRoute] = exposure.routes;
  if (exposure.api.port !== apiRoute.servicePort) {
    throw invalidInput('port', exposure.api.port, `differs from "apiPort" (${apiRoute.servicePort}), which Kamaji writes into kubeconfigs behind a Gateway`,
      `Give both the same value, e.g. port ${apiRoute.servicePort}, or have this library create the routes (operatorRoutes: NONE)`);
  }
  const konnectivity = exposure.konnectivity;
  if (!konnectivity) {
    return;
  }
  if (konnectivity.host !== exposure.api.host) {
    throw invalidInput('konnectivity.hostname', konnectivity.host, `differs from the API server's; Kamaji's TLSRoute for konnectivity has the same host, "${exposure.api.host}"`,
      'Give that host, or have this library create the routes (operatorRoutes: NONE)');
  }
  const serverPort = exposure.routes[1].servicePort;
  if (konnectivity.port !== serverPort) {
    throw invalidInput('konnectivity.port', konnectivity.port, `differs from "konnectivityServer.port" (${serverPort}), which Kamaji's TLSRoute asks the Gateway for`,
      `Give both the same value, e.g. ${serverPort}, or have this library create the routes (operatorRoutes: NONE)`);
  }
}

/**
 * Kamaji sorts the networks as texts (its `UniqueStrings`), for the flags of the API server and for kubeadm, while `dnsServiceIPs`
 * keep their order. Turned round, another family is the primary one: the certificate lacks the address of the Service
 * `kubernetes` that pods dial, and the Service of CoreDNS is refused.
 */
function requireSortedNetworks(field: string, cidrs: string[]): void {
  const sorted = [...cidrs].sort();
  if (sorted.some((cidr, i) => cidr !== cidrs[i])) {
    throw invalidInput(field, cidrs, `are turned round by Kamaji, which sorts them as texts, so that ${sorted[0]} would be the first`,
      `Give ${sorted.map(cidr => `"${cidr}"`).join(', ')} and the networks of Services and pods in one order of families, or networks that are sorted in your order`);
  }
}

function publicEndpoint(exposure: Exposure, routedBy: RoutedBy): Partial<TenantControlPlaneSpecControlPlane> {
  if (routedBy.by === OperatorRoutes.GATEWAY) {
    return { gateway: { hostname: exposure.api.host, parentRefs: [parentRef(routedBy.gateway, API_ROUTE)] } };
  }
  return {
    ingress: {
      hostname: kamajiIngressHostname(exposure),
      ingressClassName: routedBy.ingressClassName,
      additionalMetadata: routedBy.by === OperatorRoutes.INGRESS ? { annotations: routedBy.annotations } : undefined,
    },
  };
}

/** The singular fields cannot hold a second family; the plural ones are newer, so they are used only for IPv6. */
function networks({ serviceCidrs, podCidrs }: Exposure): TenantControlPlaneSpecNetworkProfile {
  const hasIpv6 = [...serviceCidrs, ...podCidrs].some(cidr => ipFamily(cidr.split('/')[0]) === 'ipv6');
  return hasIpv6 ? { serviceCidrs, podCidrs } : { serviceCidr: serviceCidrs[0], podCidr: podCidrs[0] };
}
