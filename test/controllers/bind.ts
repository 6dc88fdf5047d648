import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Exposure, ExposureProps, IngressController, PassthroughRoute, Warnings } from '../../src';

/** A control plane with every kind of route. */
export const TENANT: ExposureProps = {
  name: 'tenant-01',
  namespace: 'tenants',
  domain: 'example.com',
  konnectivity: {},
  tlsServices: [{ name: 'trustd', servicePort: 50001 }],
};

/** What a test may ask of a controller. */
export interface BindRequest {
  readonly exposure?: Partial<ExposureProps>;
  readonly allowedCidrs?: string[];
  readonly labels?: { [name: string]: string };
  readonly changeRoutes?: (routes: PassthroughRoute[]) => PassthroughRoute[];
}

/** What a controller emitted. */
export interface Bound {
  /** The objects that `bind` returned. */
  readonly objects: ApiObject[];
  /** Their manifests. */
  readonly routes: any[];
  /** Every other manifest of the chart. */
  readonly others: any[];
  /** The warnings recorded. */
  readonly warnings: string[];
}

/** Lets a controller check its routes and emit its objects into a chart of its own. */
export function bind(controller: IngressController, request: BindRequest = {}): Bound {
  const chart = new Chart(new App(), 'management');
  const exposure = new Exposure({ ...TENANT, ...request.exposure });
  const routesOfRequest = (request.changeRoutes ?? (all => all))(exposure.routes);
  controller.validateRoutes({ exposure, routes: routesOfRequest, operatorRoutes: [] });
  const objects = controller.bind(chart, {
    exposure,
    routes: routesOfRequest,
    allowedCidrs: request.allowedCidrs,
    labels: request.labels,
  });
  const routes = objects.map(object => object.toJson());
  const names = new Set(routes.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const others = Testing.synth(chart).filter(({ kind, metadata }) => !names.has(`${kind}/${metadata.name}`));
  return { objects, routes, others, warnings: Warnings.of(chart) };
}
