import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, Exposure, HostnamePattern, IngressController, IngressControllerBindOptions, OperatorObject, PassthroughRoute,
  PlatformBindOptions, PlatformDefaults,
} from '../../src';

/** What a user's own platform may say of itself. */
export interface PlainPlatformOptions {
  readonly defaults?: Partial<PlatformDefaults>;
  readonly operatorRoutes?: string[];
  readonly operatorObjects?: OperatorObject[];
  readonly bringsTcpProxy?: boolean;
}

/** A platform of a user's own, as small as can be: a ConfigMap that records what it was asked to run. */
export class PlainPlatform extends ControlPlanePlatform {
  public readonly type = 'plain';

  public constructor(private readonly options: PlainPlatformOptions = {}) {
    super();
  }

  public override get bringsTcpProxy(): boolean {
    return this.options.bringsTcpProxy ?? false;
  }

  public defaults(name: string): PlatformDefaults {
    return { backend: { serviceName: name }, hostnamePattern: HostnamePattern.steward(), ...this.options.defaults };
  }

  public override operatorRoutes(exposure: Exposure, controller: IngressController): string[] {
    return this.options.operatorRoutes ?? super.operatorRoutes(exposure, controller);
  }

  public override operatorObjects(exposure: Exposure, operatorRoutes: PassthroughRoute[], kubernetesVersion?: string): OperatorObject[] {
    return this.options.operatorObjects ?? super.operatorObjects(exposure, operatorRoutes, kubernetesVersion);
  }

  public bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    const { exposure, apiServer } = options;
    return new ApiObject(scope, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: exposure.name, namespace: exposure.namespace, labels: options.labels, annotations: options.annotations },
      data: {
        version: options.kubernetesVersion,
        operatorRoutes: options.operatorRoutes.map(route => route.name).join(),
        advertiseAddress: Lazy.any({ produce: () => apiServer.advertiseAddress }),
        endpointsOwned: Lazy.any({ produce: () => String(apiServer.endpointsOwnedByTcpProxy) }),
      },
    });
  }
}

/** What a user's own ingress controller may say of itself. */
export interface PlainControllerOptions {
  readonly separatesPorts?: boolean;
}

/** An ingress controller of a user's own, as small as can be: a ConfigMap for each route. */
export class PlainController extends IngressController {
  public readonly type = 'plain';

  public constructor(private readonly options: PlainControllerOptions = {}) {
    super();
  }

  public override get separatesPorts(): boolean {
    return this.options.separatesPorts ?? super.separatesPorts;
  }

  public bind(scope: Construct, { exposure, routes, allowedCidrs, labels }: IngressControllerBindOptions): ApiObject[] {
    return routes.map(route => new ApiObject(scope, route.name, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${exposure.name}-${route.name}`, namespace: exposure.namespace, labels },
      data: { host: route.hostname, ...(allowedCidrs ? { allowed: allowedCidrs.join() } : {}) },
    }));
  }
}
