import { ApiObjectMetadata } from 'cdk8s';
import { IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { PassthroughRoute } from '../model/exposure-props';
import { invalidInput } from '../validation/invalid-input';

/**
 * Metadata of the object for one route.
 *
 * Its name is `<control plane>-<route>`. Both are labels of at most 63 characters, so it fits into the 253 that
 * every kind of route allows and is never shortened.
 */
export function routeMetadata(
  { exposure, labels }: Pick<IngressControllerBindOptions, 'exposure' | 'labels'>,
  route: PassthroughRoute,
  annotations?: { [name: string]: string },
): ApiObjectMetadata {
  return { name: `${exposure.name}-${route.name}`, namespace: exposure.namespace, labels, annotations };
}

/** Checks that a controller which serves one public port is asked for no other. */
export function requirePublicPort(controller: string, served: number, routes: PassthroughRoute[]): void {
  for (const route of routes) {
    if (route.port !== served) {
      throw invalidInput(`port of ${route.name}`, route.port, `is not served by ${controller}, whose public port is ${served}`,
        `Use port ${served} with a host of its own, or set "port" of the controller to the port that clients connect to`);
    }
  }
}

/**
 * Checks that routes lead to Services of their own namespace, for kinds that can name no other. Operators put their
 * routes beside their Services by themselves.
 */
export function requireServicesInNamespace(controller: string, { exposure, routes, operatorRoutes }: RouteValidationOptions): void {
  for (const route of routes) {
    if (route.serviceNamespace !== exposure.namespace && !operatorRoutes.includes(route)) {
      throw invalidInput(`serviceNamespace of ${route.name}`, route.serviceNamespace,
        `is not the namespace "${exposure.namespace}" of the control plane; routes of ${controller} lead to Services beside them`,
        'Move the Service, or use gatewayApi, which grants the reference');
    }
  }
}

/**
 * Refuses source networks that the controller would not enforce: an address filter that does nothing is worse
 * than none, as nobody looks for another.
 *
 * @param why what stands in the way; continues "cannot be enforced by …:"
 */
export function refuseAllowedCidrs(controller: string, allowedCidrs: string[] | undefined, why: string): void {
  if (allowedCidrs) {
    throw invalidInput('allowedCidrs', allowedCidrs, `cannot be enforced by ${controller} on connections that it does not open: ${why}`,
      'Filter at the load balancer in front and leave allowedCidrs out, or use traefik, haproxy, haproxyIngress, istio or openshift');
  }
}
