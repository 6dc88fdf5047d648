import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { SharedIngressGateway } from './shared-ingress-gateway';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from '../controllers/ingress-controller';
import { requirePublicPort } from '../controllers/route-object';

/** The SharedIngressGateway: routes are entries of its own maps, so there is no object for each. */
export class SharedGatewayController extends IngressController {
  public readonly type = 'shared-gateway';

  public constructor(private readonly gateway: SharedIngressGateway) {
    super();
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    requirePublicPort(this.type, this.gateway.sniPort, options.routes);
  }

  public override bind(_scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    this.gateway._add(options);
    return [];
  }
}
