import { App } from 'cdk8s';
import { IngressExposedControlPlane, PassthroughRoute } from 'cdk8s-hosted-control-plane';

/** What an operator has to know of every tenant of an app: routes, SANs and the DNS records to create. */
export function report(app: App): string {
  const controlPlanes = app.node.findAll().filter(construct => construct instanceof IngressExposedControlPlane);
  return controlPlanes.map(describe).join('\n');
}

function describe(controlPlane: IngressExposedControlPlane): string {
  const { exposure, platformObject, routes, certSans, dnsNames } = controlPlane;
  return [
    `  ${exposure.namespace}/${exposure.name}: ${platformObject.kind} at ${exposure.kubeconfigServer}`,
    '    routes',
    ...table(routes.map(route => [
      route.name,
      `${route.hostname}:${route.port}`,
      `-> ${route.serviceNamespace}/${route.serviceName}:${route.servicePort}`,
      creatorOf(controlPlane, route),
    ])),
    '    certificate SANs',
    ...table(certSans.map(san => [san])),
    '    DNS records to create',
    ...table(dnsNames.map(name => [name, 'A, AAAA', 'the shared address'])),
    '',
  ].join('\n');
}

function creatorOf({ exposure, routeObjects, platformObject }: IngressExposedControlPlane, route: PassthroughRoute): string {
  const object = routeObjects.find(({ name }) => name === `${exposure.name}-${route.name}`);
  return object ? `${object.kind} ${object.name}` : `by the operator of the ${platformObject.kind}`;
}

/** Lines with aligned columns. */
function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => `      ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()}`);
}
