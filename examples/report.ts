import { ApiObject, App } from 'cdk8s';
import { Exposure, IngressExposedControlPlane, K0rdentClusterDeployment, PassthroughRoute } from 'cdk8s-hosted-control-plane';

/** What an operator has to know of every tenant of an app: routes, SANs and the DNS records to create. */
export function report(app: App): string {
  return app.node.findAll().flatMap(construct => {
    if (construct instanceof IngressExposedControlPlane) {
      return describe(construct.exposure, construct.platformObject, construct.routeObjects, construct.operatorRoutes);
    }
    return construct instanceof K0rdentClusterDeployment && construct.exposure
      ? describe(construct.exposure, construct.clusterDeployment, [], construct.exposure.routes)
      : [];
  }).join('\n');
}

function describe(exposure: Exposure, platformObject: ApiObject, routeObjects: ApiObject[], operatorRoutes: PassthroughRoute[]): string {
  const { certSans, dnsNames } = exposure;
  return [
    `  ${exposure.namespace}/${exposure.name}: ${platformObject.kind} at ${exposure.kubeconfigServer}`,
    '    routes',
    ...table(exposure.routes.map(route => [
      route.name,
      `${route.hostname}:${route.port}`,
      `-> ${route.serviceNamespace}/${route.serviceName}:${route.servicePort}`,
      operatorRoutes.includes(route) ? `by the operator of the ${platformObject.kind}` : routeObject(route, exposure, routeObjects),
    ])),
    '    certificate SANs',
    ...table(certSans.map(san => [san])),
    '    DNS records to create',
    ...table([
      ...dnsNames.map(name => [name, 'A, AAAA', 'the shared address']),
      ...exposure.entries.flatMap(entry => exposure.dnsNamesOf(entry).map(name => [name, 'A, AAAA', `the address of the entry ${entry}`])),
    ]),
    '',
  ].join('\n');
}

function routeObject(route: PassthroughRoute, exposure: Exposure, routeObjects: ApiObject[]): string {
  const object = routeObjects.find(({ name }) => name === `${exposure.name}-${route.name}`);
  return object ? `${object.kind} ${object.name}` : 'in the map of the shared gateway';
}

/** Lines with aligned columns. */
function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => `      ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()}`);
}
