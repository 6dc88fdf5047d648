import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { GATEWAY_GROUP } from './gateway-ref';
import type { IngressControllerBindOptions } from './ingress-controller';
import { routeMetadata } from './route-object';
import { ReferenceGrant } from '../imports/gateway.networking.k8s.io';
import { PassthroughRoute } from '../model/exposure-props';

/** What a grant depends on beside the route that it is for. */
export interface GrantOptions extends Pick<IngressControllerBindOptions, 'exposure' | 'labels'> {
  /** Kind of the objects that may refer to the Service. */
  readonly kind: 'TLSRoute' | 'TCPRoute';
  /** Version of ReferenceGrant. */
  readonly version: 'v1' | 'v1beta1';
}

/** Lets the object of a route refer to a Service of another namespace, where it does. */
export function grantService(scope: Construct, route: PassthroughRoute, options: GrantOptions): void {
  const { exposure, labels, kind, version } = options;
  if (route.serviceNamespace === exposure.namespace) {
    return;
  }
  const manifest = ReferenceGrant.manifest({
    metadata: {
      ...routeMetadata({ exposure, labels }, route),
      // Grants of several control planes may share the namespace. No part can contain a dot, so no two names are equal.
      name: `${exposure.namespace}.${exposure.name}.${route.name}`,
      namespace: route.serviceNamespace,
    },
    spec: {
      from: [{ group: GATEWAY_GROUP, kind, namespace: exposure.namespace }],
      to: [{ group: '', kind: 'Service', name: route.serviceName }],
    },
  });
  // No route is called so: their names have no capital letters.
  new ApiObject(scope, `${route.name}-Grant`, { ...manifest, apiVersion: `${GATEWAY_GROUP}/${version}` });
}
