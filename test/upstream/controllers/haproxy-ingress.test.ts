import { cpSync, readdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { Stream } from './support/client';
import { checkCompetitors, ingressFor } from './support/competitors';
import { startContained } from './support/contained';
import { CONVERGENCE_MS } from './support/fleet';
import { Haproxy } from './support/haproxy';
import { listening } from './support/listening';
import { describeController } from './support/suite';
import { DOMAIN, FOUR, PORT_RANGE, THREE } from './support/tenants';
import { IngressController } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { Cluster } from '../../e2e/support/cluster';
import { freePorts } from '../../support/ports';
import { provided } from '../support/provided';

const [CONTROLLER, ROOT] = provided('haproxy-ingress');
const haproxy = new Haproxy(provided('haproxy')[0]);
const [GATEWAY_API] = provided('gateway-api');
const GATEWAY_API_VERSION = '1.6.3';
const API_DEFINITIONS = join(GATEWAY_API, GATEWAY_API_VERSION, 'standard');
const POD = { name: 'haproxy-ingress', namespace: 'default' };
/** The idle limit of the installation, for routes that have none of their own. */
const QUIET = { 'timeout-tunnel': '4s' };
const PASSTHROUGH = { 'haproxy-ingress.github.io/ssl-passthrough': 'true' };

/** A Service of another name for the same pods: routes to one Service share what is said of any of them. */
async function besideOf(cluster: Cluster, service: string, name: string): Promise<object[]> {
  const [{ spec: { ports } }, { addressType, endpoints, ports: podPorts }] = await Promise.all([
    cluster.get('service', 'team', service), cluster.get('endpointslice', 'team', `${service}-1`),
  ]);
  const metadata = { name, namespace: 'team' };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
      addressType,
      endpoints,
      ports: podPorts,
    },
  ];
}

/** As every current controller of the Gateway API writes it. */
async function applyGatewayClass(cluster: Cluster): Promise<void> {
  const spec = { controllerName: 'example.com/gateway' };
  await cluster.apply([{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'of-another' }, spec }]);
  const status = { supportedFeatures: [{ name: 'TLSRoute' }] };
  await cluster.kubectl(['patch', 'gatewayclass', 'of-another', '--subresource=status', '--type=merge', `--patch=${JSON.stringify({ status })}`]);
}

/** Runs the controller as its chart does, with the files of its image in a folder of the test. */
async function startController(cluster: Cluster, controller: IngressController): Promise<void> {
  const { ingressClass, ingressClassResource: { controllerClass }, extraArgs, config } = controller.helmValues().controller;
  const className = ['haproxy-ingress.github.io/controller', ...controllerClass ? [controllerClass] : []].join('/');
  await cluster.apply([
    { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: ingressClass }, spec: { controller: className } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'haproxy-ingress', namespace: 'default' }, data: { ...config, ...QUIET } },
    // It looks at its own labels.
    { apiVersion: 'v1', kind: 'Pod', metadata: { ...POD, labels: { app: POD.name } }, spec: { containers: [{ name: 'controller', image: 'haproxy-ingress' }] } },
  ]);
  await applyGatewayClass(cluster);
  const root = cluster.file('haproxy-ingress');
  cpSync(ROOT, root, { recursive: true });
  cpSync(join(ROOT, 'etc', 'lua'), join(root, 'etc', 'haproxy', 'lua'), { recursive: true });
  // In place of a library that its image has of Alpine, for what asks others whether to let an HTTP request in.
  writeFileSync(join(root, 'etc', 'haproxy', 'lua', 'json.lua'), 'return {}\n');
  const [health] = await freePorts(1);
  const program = startContained(CONTROLLER, [
    `--kubeconfig=${cluster.file('admin.conf')}`, `--local-filesystem-prefix=${root}`, `--ingress-class=${ingressClass}`,
    ...controllerClass ? [`--controller-class=${controllerClass}`] : [], '--configmap=default/haproxy-ingress', `--healthz-addr=127.0.0.1:${health}`,
    '--update-status=false', ...Object.entries(extraArgs ?? {}).map(([name, value]) => `--${name}=${value}`),
  ], { cwd: dirname(ROOT), env: { ...haproxy.env, POD_NAME: POD.name, POD_NAMESPACE: POD.namespace } });
  await listening(program, 443);
}

describeController({
  system: 'HAProxy Ingress',
  version: '0.16.1',
  how: ', a class and ports of tenants, beside a GatewayClass',
  with: [`HAProxy ${haproxy.version}`, `Gateway API ${GATEWAY_API_VERSION}`],
  controller: () => IngressController.haproxyIngress({ ingressClassName: 'edge', ipv6: true, portRange: PORT_RANGE }),
  definitions: readdirSync(API_DEFINITIONS).map(file => join(API_DEFINITIONS, file)),
  start: startController,
  filtersSources: true,
  shownToStrangers: 'Kubernetes Ingress Controller Fake Certificate',
  servesPorts: true,
}, (check, fleet) => {
  check('an Ingress of the usual class is left to another installation', async () => {
    const { cluster } = fleet();
    const [route] = fleet().routesOf(THREE);
    const ingresses = ['haproxy', 'edge'].map(name => {
      const ingress = ingressFor(`of-${name}.${DOMAIN}`, PASSTHROUGH, name);
      return { ...ingress, metadata: { ...ingress.metadata, name } };
    });
    const usual = { metadata: { name: 'haproxy' }, spec: { controller: 'haproxy-ingress.github.io/controller' } };
    await cluster.apply([{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', ...usual }, ...ingresses]);
    const shownFor = async (name: string) => (await fleet().ask(route, { ca: undefined, servername: `of-${name}.${DOMAIN}` })).shown;
    // Once the later one is served, the other would be.
    const [{ backend }] = fleet().routesOf(FOUR).map(four => fleet().answerOf(four));
    await eventually(async () => await shownFor('edge') === backend, CONVERGENCE_MS);
    expect(await shownFor('haproxy')).not.toBe(backend);
    await cluster.kubectl(['delete', '--filename=-'], { input: ingresses.map(ingress => JSON.stringify(ingress)).join('\n') });
  });

  check('a quiet stream outlives the idle limit of the installation, which ends others whatever keepalives they send', async () => {
    const { cluster } = fleet();
    const [route] = fleet().routesOf(FOUR);
    const objects = [...await besideOf(cluster, 'four', 'quiet'), ingressFor(`quiet.${DOMAIN}`, PASSTHROUGH, 'edge', 'quiet')];
    await cluster.apply(objects);
    const stream = await fleet().open(route);
    const options = { ...fleet().clientOf(route), ca: undefined, servername: `quiet.${DOMAIN}` };
    const other = await eventually(() => Stream.open(options), CONVERGENCE_MS);
    await other.end();
    expect(await stream.echo('still there')).toBe('still there');
    await cluster.kubectl(['delete', '--filename=-'], { input: objects.map(object => JSON.stringify(object)).join('\n') });
  });

  checkCompetitors(check, fleet, ({ hostname }) => ({ 'an older Ingress': { object: ingressFor(hostname, PASSTHROUGH, 'edge'), older: true } }));
});
