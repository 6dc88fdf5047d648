import { ApiObject } from 'cdk8s';
import { DescribedRoute, Description, DESCRIPTION_ANNOTATION, DESCRIPTION_VERSION, PATH_TYPES, ResourcePaths } from '../manifests/description';
import { systemOf } from '../manifests/systems';
import { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { ControlPlanePlatform } from '../platforms/control-plane-platform';
import { invalidInput } from '../validation/invalid-input';

/** Has a custom resource that readers of manifests do not know describe itself to them. */
export function describeUnknown(resource: ApiObject, platform: ControlPlanePlatform, exposure: Exposure, operatorRoutes: PassthroughRoute[]): void {
  const paths = validatePaths(platform);
  if (systemOf(resource) !== undefined) {
    return;
  }
  const description: Description = {
    version: DESCRIPTION_VERSION,
    platform: platform.displayName,
    routes: exposure.routes.map(route => describedRoute(route, operatorRoutes.includes(route))),
    bringsTcpProxy: platform.bringsTcpProxy || undefined,
    paths: Object.keys(paths).length === 0 ? undefined : paths,
  };
  resource.metadata.addAnnotation(DESCRIPTION_ANNOTATION, JSON.stringify(description));
}

function describedRoute(route: PassthroughRoute, byOperator: boolean): DescribedRoute {
  return {
    name: route.name,
    host: route.hostname,
    port: route.port,
    namespace: route.serviceNamespace,
    service: route.serviceName,
    servicePort: route.servicePort,
    byOperator: byOperator || undefined,
    ownAddress: route.ownAddress || undefined,
  };
}

/** Those that are given, in a fixed order. */
function validatePaths({ displayName, resourcePaths }: ControlPlanePlatform): ResourcePaths {
  const keys = Object.keys(PATH_TYPES) as (keyof ResourcePaths)[];
  return Object.fromEntries(keys.flatMap(key => {
    const path: unknown = resourcePaths[key];
    if (path === undefined || path === null) {
      return [];
    }
    if (typeof path !== 'string' || !/^[^.\s]+(\.[^.\s]+)*$/.test(path)) {
      throw invalidInput(`resourcePaths.${key} of the platform ${displayName}`, path, 'is not a path', 'Write the keys from the top of the object with "." between them, e.g. "spec.endpoint.host"');
    }
    return [[key, path]];
  }));
}
