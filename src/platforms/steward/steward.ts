import { GroupVersionKind } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { parentRef } from '../../controllers/gateway-ref';
import { IngressController } from '../../controllers/ingress-controller';
import {
  TenantControlPlane, TenantControlPlaneSpec, TenantControlPlaneSpecAddonsTcpProxy, TenantControlPlaneSpecControlPlane,
  TenantControlPlaneSpecControlPlaneIngressControllerType as ControllerType,
} from '../../imports/steward.butlerlabs.dev';
import { STEWARD_GROUP } from '../../manifests/tenant-control-plane-facts';
import { Exposure } from '../../model/exposure';
import { HostnamePattern } from '../../model/hostname-pattern';
import { Warnings } from '../../synthesis/warnings';
import { validateHostAlias } from '../../validation/host-alias';
import { validateImageReference } from '../../validation/image-reference';
import { invalidInput } from '../../validation/invalid-input';
import { Checks, listOf, oneOf, optional, struct } from '../../validation/props';
import { validateLine } from '../../validation/text';
import { KUBERNETES_UNDER_STEWARD } from '../../versions/kubernetes';
import { TLS_ROUTE_OF_OPERATORS, TLS_ROUTE_SERVED_BY } from '../../versions/tls-route';
import { ApiServerCertificate, requireOneCertificate } from '../api-server-certificates';
import { contradictingEndpointReconciler } from '../component-args';
import { quantities, validateResources } from '../component-resources';
import { PlatformBindOptions } from '../control-plane-platform';
import { validateStewardEntries, validateStewardExposure } from './steward-validation';
import { RoutedBy, TenantControlPlanePlatform } from '../tenant-control-plane/tenant-control-plane';
import { REGISTRY_SETTINGS, TENANT_CONTROL_PLANE } from '../tenant-control-plane/tenant-control-plane-checks';
import { TenantControlPlaneOperator } from '../tenant-control-plane/tenant-control-plane-operator';
import { OperatorRoutes, RegistrySettings, TenantControlPlaneProps } from '../tenant-control-plane/tenant-control-plane-props';
import { tenantControlPlaneSpec, withCertificates } from '../tenant-control-plane/tenant-control-plane-spec';

/** Steward 0.4. */
const STEWARD: TenantControlPlaneOperator = {
  name: 'Steward',
  group: STEWARD_GROUP,
  kubernetes: KUBERNETES_UNDER_STEWARD,
  managedFlags: 'is computed by Steward, which lets other values win and so breaks what it computes',
  trustdPort: 50001,
};

/** What Steward calls controllers, by the annotation that it gives their Ingresses for passthrough. Its `traefik` is left out, see the class. */
const CONTROLLER_TYPES: [annotation: string, type: ControllerType][] = [
  ['haproxy.org/ssl-passthrough', ControllerType.HAPROXY],
  ['nginx.ingress.kubernetes.io/ssl-passthrough', ControllerType.NGINX],
];

/** The tcp-proxy that Steward brings itself; `{}` takes every default. */
export interface StewardTcpProxyProps {
  /**
   * Image with tag.
   * @default - ghcr.io/butlerdotdev/steward-tcp-proxy:v0.2.0
   */
  readonly image?: string;
  /**
   * CPU and memory.
   * @default - requests 10m and 32Mi, limits 100m and 64Mi
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Entries for /etc/hosts, so that the proxy finds the API server before the cluster's DNS works.
   * @default - none, with a warning
   */
  readonly hostAliases?: k8s.HostAlias[];
  /**
   * Documented as an address that bypasses the ingress. It is passed on with a warning: no code of Steward 0.4
   * reads it.
   * @default - none
   */
  readonly internalEndpoint?: string;
}

/** A TenantControlPlane of Steward. */
export interface StewardProps extends TenantControlPlaneProps {
  /**
   * What Steward creates routes with.
   * @default - OperatorRoutes.INGRESS with HAProxy, ingress-nginx and generic controllers that have an IngressClass, else OperatorRoutes.NONE
   */
  readonly operatorRoutes?: OperatorRoutes;
  /**
   * Where images of the components come from.
   * @default - registry.k8s.io
   */
  readonly registrySettings?: RegistrySettings;
  /**
   * Steward's own tcp-proxy, instead of a `TcpProxyAddon`.
   * @default - none
   */
  readonly tcpProxy?: StewardTcpProxyProps;
}

const CHECKS: Checks<StewardProps> = {
  ...TENANT_CONTROL_PLANE,
  operatorRoutes: optional(oneOf(OperatorRoutes)),
  registrySettings: optional(struct(REGISTRY_SETTINGS)),
  tcpProxy: optional(struct<StewardTcpProxyProps>({
    image: optional(validateImageReference),
    resources: optional(validateResources),
    hostAliases: optional(listOf(validateHostAlias)),
    internalEndpoint: optional(validateLine),
  })),
};

/**
 * `steward.butlerlabs.dev/v1alpha1` TenantControlPlane.
 *
 * By itself Steward creates one Ingress for the API server, with `tls` and, for HAProxy and ingress-nginx, the
 * passthrough annotation; with `gateway`, TLSRoutes (`v1alpha2`) for the API server and konnectivity. It runs the
 * konnectivity agents on the node's network.
 *
 * Avoided here:
 * - the Ingress has no konnectivity host although the agents dial one: this library adds that route;
 * - with `controllerType: traefik` every tenant claims `kubernetes.default.svc`, so one receives the connections of
 *   all, and the operator lacks the permission to create its IngressRouteTCP: this library makes Traefik's routes;
 * - `networkProfile.address` is passed to kube-apiserver as it is, so it is written only for a fixed advertise
 *   address, never as a DNS name;
 * - the operator hard-codes public ports and the konnectivity host's name: other values are errors.
 */
export class StewardPlatform extends TenantControlPlanePlatform {
  /** @internal */
  protected declare readonly _props: StewardProps;
  public readonly type: string = 'steward';
  /** @internal */
  protected readonly _gvk: GroupVersionKind = TenantControlPlane.GVK;
  /** @internal */
  protected readonly _hostnamePattern = HostnamePattern.steward();

  public constructor(props: StewardProps = {}) {
    super(props, CHECKS, STEWARD, props?.operatorRoutes);
    const contradiction = props.tcpProxy && contradictingEndpointReconciler(props.extraArgs?.apiServer);
    if (contradiction) {
      throw invalidInput('extraArgs.apiServer', contradiction, 'has the API server write default/kubernetes, which Steward\'s tcp-proxy owns',
        'Leave out the flag, or tcpProxy');
    }
  }

  public override get bringsTcpProxy(): boolean {
    return this._props.tcpProxy !== undefined;
  }

  /** @internal */
  public override get _tcpProxyProperty(): string {
    return 'tcpProxy';
  }

  /** @internal */
  public override _validateEntries(exposure: Exposure, _certificates: ApiServerCertificate[]): void {
    validateStewardEntries(exposure);
  }

  /** Steward makes a map of flags, so that of two with one name one is left. */
  public override validateCertificates(certificates: ApiServerCertificate[]): void {
    super.validateCertificates(certificates);
    requireOneCertificate('Steward', certificates);
  }

  /** @internal */
  protected _defaultRoutes(controller: IngressController): OperatorRoutes {
    // Without a class the Ingress would keep the one that it had before.
    return controller.leavesIngressesToOperators && controller.ingressClassName !== undefined ? OperatorRoutes.INGRESS : OperatorRoutes.NONE;
  }

  /** @internal */
  protected _validateExposure(scope: Construct, { exposure, controller }: PlatformBindOptions, routedBy: OperatorRoutes): void {
    const { tcpProxy } = this._props;
    validateStewardExposure(exposure, routedBy, tcpProxy !== undefined);
    if (routedBy === OperatorRoutes.GATEWAY && controller._tlsRouteVersion === 'v1') {
      Warnings._add(scope, `operatorRoutes: Steward 0.4 writes TLSRoutes of ${TLS_ROUTE_OF_OPERATORS.Steward}, which ${TLS_ROUTE_SERVED_BY.v1alpha2} serves and the standard ` +
        'one does not: its webhook refuses the control plane there. Have this library create the routes (operatorRoutes: NONE), or install the experimental ' +
        'channel and say so with tlsRouteVersion: V1ALPHA2 of the controller.');
    }
    if (!tcpProxy) {
      return;
    }
    Warnings._add(scope, 'tcpProxy: Steward\'s tcp-proxy does not verify the API server\'s certificate, puts its private key into the tenant cluster ' +
      'and publishes a ClusterIP as endpoint, which kube-proxy does not forward to. A TcpProxyAddon has none of this.');
    if (!tcpProxy.hostAliases?.some(alias => alias.hostnames?.includes(exposure.api.host))) {
      Warnings._add(scope, 'tcpProxy.hostAliases: do not name the API server\'s host. Steward\'s tcp-proxy resolves it by the cluster\'s DNS, ' +
        'which needs the tcp-proxy to start: add the host with the shared address.');
    }
    if (tcpProxy.internalEndpoint !== undefined) {
      Warnings._add(scope, 'tcpProxy.internalEndpoint: no code of Steward 0.4 reads it. ' +
        'For a direct connection use a TcpProxyAddon with TcpProxyUpstream.direct().');
    }
  }

  /** @internal */
  protected _spec(options: PlatformBindOptions, routedBy: RoutedBy): any {
    const { exposure, apiServer } = options;
    // Steward forked Kamaji's CRD: the same fields, generated into types of other names.
    const kamajis = tenantControlPlaneSpec(this._props, this._props.registrySettings, this.withOwnedEndpoints(options));
    const shared = kamajis as unknown as TenantControlPlaneSpec;
    const tcpProxy = tcpProxyAddon(this._props.tcpProxy);
    return withCertificates(TenantControlPlane.manifest({
      spec: {
        ...shared,
        addons: tcpProxy ? { ...shared.addons, tcpProxy } : shared.addons,
        controlPlane: { ...shared.controlPlane, ...publicEndpoint(exposure.api.host, routedBy) },
        networkProfile: {
          ...shared.networkProfile,
          serviceCidr: exposure.serviceCidrs[0],
          podCidr: exposure.podCidrs[0],
          address: apiServer.advertiseAddress,
        },
      },
    }).spec, options.certificates);
  }

  /**
   * Steward has the API server leave `default/kubernetes` to its own tcp-proxy by itself, and never takes that flag back: it
   * does so when the number of the flags that it was given changes. So the flag is given, to be gone with the tcp-proxy.
   */
  private withOwnedEndpoints(options: PlatformBindOptions): PlatformBindOptions {
    const { advertiseAddress } = options.apiServer;
    return this._props.tcpProxy ? { ...options, apiServer: { endpointsOwnedByTcpProxy: true, advertiseAddress } } : options;
  }
}

function publicEndpoint(hostname: string, routedBy: RoutedBy): Partial<TenantControlPlaneSpecControlPlane> {
  switch (routedBy.by) {
    case OperatorRoutes.GATEWAY:
      // Steward sets sectionName and port itself, and its CRD refuses them.
      return { gateway: { hostname, parentRefs: [parentRef(routedBy.gateway)] } };
    case OperatorRoutes.INGRESS:
      return {
        ingress: {
          hostname,
          ingressClassName: routedBy.ingressClassName,
          controllerType: controllerTypeOf(routedBy.annotations),
          additionalMetadata: { annotations: routedBy.annotations },
        },
      };
    default:
      return { ingress: { hostname, ingressClassName: routedBy.ingressClassName, controllerType: ControllerType.GENERIC } };
  }
}

function controllerTypeOf(annotations: { [name: string]: string }): ControllerType {
  return CONTROLLER_TYPES.find(([annotation]) => annotations[annotation] === 'true')?.[1] ?? ControllerType.GENERIC;
}

function tcpProxyAddon(tcpProxy?: StewardTcpProxyProps): TenantControlPlaneSpecAddonsTcpProxy | undefined {
  return tcpProxy && {
    ...tcpProxy,
    resources: quantities(tcpProxy.resources),
    hostAliases: tcpProxy.hostAliases?.map(({ ip, hostnames }) => ({ ip: ip!, hostnames: hostnames! })),
  };
}
