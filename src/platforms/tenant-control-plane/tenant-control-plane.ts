import { ApiObject, GroupVersionKind, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { deepCopy } from '../../objects/deep-copy';
import { ApiServerCertificate } from '../api-server-certificates';
import { requireNoOwnCertificates, validateEndpointOwnership } from '../component-args';
import { ControlPlanePlatform, OperatorObject, PlatformBindOptions, PlatformDefaults } from '../control-plane-platform';
import { dnsServiceIps, warnOfMissedCoreDns } from './dns-service-ips';
import { tenantControlPlaneObjects } from './tenant-control-plane-objects';
import { TenantControlPlaneOperator } from './tenant-control-plane-operator';
import { OperatorRoutes, TenantControlPlaneProps } from './tenant-control-plane-props';
import { validatePodPorts, validateTenantControlPlane } from './tenant-control-plane-validation';
import { GatewayRef } from '../../controllers/gateway-ref';
import { IngressController } from '../../controllers/ingress-controller';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT, DEFAULT_UNHANDLED_CLASS } from '../../manifests/tenant-control-plane-facts';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { HostnamePattern } from '../../model/hostname-pattern';
import { Warnings } from '../../synthesis/warnings';
import { invalidInput } from '../../validation/invalid-input';
import { ipFamily } from '../../validation/ip-network';
import { Checks, checkProps } from '../../validation/props';
import { required } from '../../validation/required';
import { checkVersion } from '../../versions/version-facts';

/** Who creates the routes of one control plane, with what the operator needs for it. */
export type RoutedBy =
  | { readonly by: OperatorRoutes.NONE; readonly ingressClassName: string }
  | { readonly by: OperatorRoutes.INGRESS; readonly ingressClassName?: string; readonly annotations: { [name: string]: string } }
  | { readonly by: OperatorRoutes.GATEWAY; readonly gateway: GatewayRef };

/** @internal A platform on the TenantControlPlane of Kamaji, or of its fork Steward. */
export abstract class TenantControlPlanePlatform extends ControlPlanePlatform {
  /** @internal The kind of the custom resource. */
  protected abstract readonly _gvk: GroupVersionKind;
  /** @internal How the platform's documentation names hosts. */
  protected abstract readonly _hostnamePattern: HostnamePattern;
  /** @internal The user's settings, as they were when they were checked. */
  protected readonly _props: TenantControlPlaneProps;
  private readonly unhandledIngressClassName: string;

  protected constructor(
    props: TenantControlPlaneProps,
    checks: Checks<any>,
    private readonly operator: TenantControlPlaneOperator,
    private readonly requestedRoutes: OperatorRoutes | undefined,
  ) {
    super();
    this._props = deepCopy(checkProps('', required('props', props, 'Give {} for the defaults'), checks));
    validateTenantControlPlane(this._props, operator);
    this.unhandledIngressClassName = props.unhandledIngressClassName ?? DEFAULT_UNHANDLED_CLASS;
  }

  /** @internal What the operator creates routes with when the user does not say. */
  protected _defaultRoutes(_controller: IngressController): OperatorRoutes {
    return OperatorRoutes.NONE;
  }

  /** @internal Checks what depends on the exposure; throws, or warns on the scope. */
  protected abstract _validateExposure(scope: Construct, options: PlatformBindOptions, routedBy: OperatorRoutes): void;

  /** @internal The spec of the custom resource. Called at synthesis, when the tenant side is known. */
  protected abstract _spec(options: PlatformBindOptions, routedBy: RoutedBy): any;

  public defaults(name: string, _namespace: string): PlatformDefaults {
    const apiPort = this._props.apiPort ?? DEFAULT_API_PORT;
    const konnectivityPort = this._props.konnectivityServer?.port ?? DEFAULT_KONNECTIVITY_PORT;
    return {
      backend: { serviceName: name, apiPort, konnectivityPort },
      // The Service of the control plane selects its pods by this label.
      podLabels: { [`${this.operator.group}/name`]: name },
      // The kubeconfigs `*.svc` lead to the Service of the control plane, so they need neither DNS records nor a route.
      adminKubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['super-admin.svc', 'admin.svc'] },
      clusterCa: { secretName: `${name}-ca`, certificateKey: 'ca.crt', privateKeyKey: 'ca.key' },
      apiServerCertificate: { secretName: `${name}-api-server-certificate`, certificateKey: 'apiserver.crt', privateKeyKey: 'apiserver.key' },
      hostnamePattern: this._hostnamePattern,
      // Both operators expect a Gateway to listen on the ports of the Service.
      ...this.requestedRoutes === OperatorRoutes.GATEWAY ? { port: apiPort, konnectivityPort } : {},
    };
  }

  public operatorRoutes(_exposure: Exposure, controller: IngressController): string[] {
    switch (this.requestedRoutes ?? this._defaultRoutes(controller)) {
      case OperatorRoutes.INGRESS: return [API_ROUTE];
      case OperatorRoutes.GATEWAY: return [API_ROUTE, KONNECTIVITY_ROUTE];
      default: return [];
    }
  }

  /** Without routes of its own too, the operator creates an Ingress: that of the class which no controller handles. */
  public override operatorObjects(exposure: Exposure, _operatorRoutes: PassthroughRoute[], _kubernetesVersion?: string): OperatorObject[] {
    const { name, konnectivity } = exposure;
    const routes = this.requestedRoutes === OperatorRoutes.GATEWAY
      ? [name, ...konnectivity ? [`${name}-konnectivity`] : []].map(route => ({ kind: 'TLSRoute', group: 'gateway.networking.k8s.io', name: route }))
      : [{ kind: 'Ingress', group: 'networking.k8s.io', name }];
    return [...routes, ...tenantControlPlaneObjects(name, konnectivity !== undefined)];
  }

  public override validateCertificates(_certificates: ApiServerCertificate[]): void {
    requireNoOwnCertificates('extraArgs.apiServer', this._props.extraArgs?.apiServer);
  }

  public bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    const { exposure } = options;
    requireReleaseVersion(options.kubernetesVersion, this.operator.name);
    checkVersion(scope, 'kubernetesVersion', options.kubernetesVersion, this.operator.kubernetes, this._props.newestKubernetesVersion);
    const routedBy = this.routedBy(scope, options);
    this._validateExposure(scope, options, routedBy.by);
    validatePodPorts(exposure.routes, this._props.additionalPorts);
    // The spec is made at synthesis; an error belongs here.
    dnsServiceIps(exposure, this._props.coreDns !== undefined);
    this.warn(scope, options);
    validateEndpointOwnership(scope, 'extraArgs.apiServer', options.apiServer, this._props.extraArgs?.apiServer);
    return new ApiObject(scope, 'Resource', {
      ...this._gvk,
      metadata: { name: exposure.name, namespace: exposure.namespace, labels: options.labels, annotations: options.annotations },
      // Not the generated class: it would drop fields that it does not know from users' patches.
      spec: Lazy.any({ produce: () => this._spec(requireAdvertisableAddress(options), routedBy) }),
    });
  }

  private routedBy(scope: Construct, options: PlatformBindOptions): RoutedBy {
    const { controller } = options;
    const wanted = this.requestedRoutes ?? this._defaultRoutes(controller);
    if (options.operatorRoutes.length === 0) {
      if (wanted !== OperatorRoutes.NONE && this.requestedRoutes) {
        throw invalidInput('operatorRoutes', wanted, `has ${this.operator.name} create routes, while "ownRoutes" or "allowedCidrs" ` +
          'of the control plane, or the "controller" of its konnectivity, has this library create them all', 'Leave out one of them');
      }
      return this.routedByLibrary(controller);
    }
    return wanted === OperatorRoutes.GATEWAY
      ? { by: wanted, gateway: this.gatewayOf(controller) }
      : this.routedByIngress(scope, controller);
  }

  private routedByLibrary(controller: IngressController): RoutedBy {
    const ingressClassName = this.unhandledIngressClassName;
    if (ingressClassName === controller.servedIngressClass) {
      throw invalidInput('unhandledIngressClassName', ingressClassName, `is the IngressClass of the ${controller.displayName} controller, ` +
        'which would route the API server a second time', 'Name a class that no controller handles');
    }
    return { by: OperatorRoutes.NONE, ingressClassName };
  }

  private routedByIngress(scope: Construct, controller: IngressController): RoutedBy {
    const { ingressClassName, ingressAnnotations: annotations } = controller;
    if (!controller.passesIngressesThrough) {
      throw invalidInput('operatorRoutes', OperatorRoutes.INGRESS, `needs a controller that passes TLS through by an Ingress, which ${controller.displayName} does not`,
        'Leave it out to have this library create the routes');
    }
    if (ingressClassName === undefined) {
      Warnings._add(scope, `operatorRoutes: the ${controller.displayName} controller has no IngressClass, and ${this.operator.name} never takes one away from its Ingress: a control ` +
        'plane that had another class or other routes keeps the old class. Give the ingressClassName of the controller.');
    }
    return { by: OperatorRoutes.INGRESS, ingressClassName, annotations };
  }

  private gatewayOf(controller: IngressController): GatewayRef {
    if (!controller.gatewayRef) {
      throw invalidInput('operatorRoutes', OperatorRoutes.GATEWAY, `needs a Gateway, which the ${controller.displayName} controller is not`,
        'Use the Gateway API controller, or leave it out to have this library create the routes');
    }
    return controller.gatewayRef;
  }

  private warn(scope: Construct, { exposure }: PlatformBindOptions): void {
    if (this._props.coreDns) {
      warnOfMissedCoreDns(scope, exposure);
    }
    for (const field of ['konnectivityAgent', 'konnectivityServer'] as const) {
      if (this._props[field] && !exposure.konnectivity) {
        Warnings._add(scope, `${field}: has no effect on ${exposure.namespace}/${exposure.name}, which has no konnectivity. ` +
          'Set "konnectivity" of the control plane, e.g. to {}.');
      }
    }
    this.warnOfMissingPorts(scope, exposure);
  }

  private warnOfMissingPorts(scope: Construct, { routes }: Exposure): void {
    const { name, trustdPort } = this.operator;
    const [api, ...others] = routes;
    const operatorPorts = routes.filter(isOperators).map(route => route.servicePort);
    const known = new Set([...operatorPorts, ...this._props.additionalPorts?.map(port => port.port) ?? []]);
    for (const { name: service, serviceName, servicePort } of others.filter(route => !isOperators(route))) {
      if (serviceName !== api.serviceName || known.has(servicePort)) {
        continue;
      }
      Warnings._add(scope, `tlsServices: "${service}" leads to port ${servicePort} of the control plane's Service, ` + (servicePort === trustdPort
        ? `which ${name} adds there itself for workers with Talos, and then alone. Talos dials trustd by its IP address, without SNI, ` +
          'so that no shared address can route it: expose trustd at an address of its own.'
        : `which ${name} does not know of. Add the port to "additionalPorts", or name another Service in serviceName.`));
    }
  }
}

/** Whether the operator gives the Service the port of a route by itself. */
function isOperators({ name }: PassthroughRoute): boolean {
  return name === API_ROUTE || name === KONNECTIVITY_ROUTE;
}

/** The version becomes the tag of images, which holds no build metadata, e.g. k0s' revision. */
function requireReleaseVersion(version: string, operator: string): void {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(version)) {
    throw invalidInput('kubernetesVersion', version, `is not the tag of an image of kube-apiserver, which ${operator} makes of it`,
      `Give the version of a release of Kubernetes, "${version.split(/[-+]/)[0]}"`);
  }
}

/** The operators pass the address to kube-apiserver as it is; a DNS name there keeps it from starting. */
function requireAdvertisableAddress(options: PlatformBindOptions): PlatformBindOptions {
  const { advertiseAddress } = options.apiServer;
  if (advertiseAddress !== undefined && !ipFamily(advertiseAddress)) {
    throw invalidInput('advertiseAddress', advertiseAddress, 'is not an IP address, and kube-apiserver advertises no names', 'Give an IP address');
  }
  return options;
}
