import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { SharedIngressGateway } from './shared-ingress-gateway';
import { ControllerGateway } from '../controllers/controller-gateway';
import { IngressController, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from '../controllers/ingress-controller';
import { Installation } from '../controllers/installation';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';

/** The SharedIngressGateway: routes are entries of its own maps, so there is no object for each. */
export class SharedGatewayController extends IngressController {
  public readonly type: string = 'shared-gateway';

  public constructor(private readonly gateway: SharedIngressGateway) {
    super();
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'is a workload that SharedIngressGateway emits itself',
      remedy: 'Leave the installation out',
    };
  }

  public override get separatesPorts(): boolean {
    return this.gateway.portRange !== undefined;
  }

  /** @internal */
  public override get _gateway(): ControllerGateway {
    return this.gateway._facts;
  }

  public override get servesPorts(): boolean {
    return this.gateway.portRange !== undefined;
  }

  public override get tenantPortRange(): PortRange | undefined {
    return this.gateway.portRange;
  }

  public override routesByPort(route: PassthroughRoute): boolean {
    return isInPortRange(route.port, this.gateway.portRange);
  }

  public override validateRoutes({ routes }: RouteValidationOptions): void {
    const { sniPort, portRange } = this.gateway;
    const unserved = routes.find(route => route.port !== sniPort && !this.routesByPort(route));
    if (unserved && portRange) {
      throw invalidInput(`port of ${unserved.name}`, unserved.port, `is not served by ${this.displayName}: by host it serves ${sniPort}, by port ${portRange.first} to ${portRange.last}`,
        'Use one of these ports, or change portRange of the gateway');
    }
    if (unserved) {
      throw invalidInput(`port of ${unserved.name}`, unserved.port, `is not served by ${this.displayName}, whose public port is ${sniPort}`,
        `Use port ${sniPort} with a host of its own, or give the gateway a portRange for ports of tenants`);
    }
  }

  public override bind(_scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    this.gateway._add(options);
    return [];
  }

  public override bindPort(_scope: Construct, options: PortBindOptions): ApiObject[] {
    this.gateway._addPort(options);
    return [];
  }
}
