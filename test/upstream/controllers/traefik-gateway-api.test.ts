import { readdirSync } from 'fs';
import { join } from 'path';
import { describeController } from './support/suite';
import { DOMAIN, NAMESPACE_LABELS } from './support/tenants';
import { EntryPoints, startTraefik } from './support/traefik';
import { PassthroughGateway } from '../../../src';
import { provided } from '../support/provided';

const [PROGRAM] = provided('traefik');
const [GATEWAY_API] = provided('gateway-api');
/** That of Traefik 3.7. */
const DEFINITIONS = join(GATEWAY_API, '1.5.1', 'standard');

const entryPoints = new EntryPoints({ konnectivity: { port: 8444, exposedPort: 8132, expose: { default: true } } });
const listeners = [
  { name: 'k8s', hostname: `*.k8s.${DOMAIN}`, publicPort: 443 },
  { name: 'oauth', hostname: `*.oauth.${DOMAIN}`, publicPort: 443 },
  { name: 'konnectivity', hostname: `*.konnectivity.${DOMAIN}`, publicPort: 8132 },
];

describeController({
  system: 'Traefik',
  version: '3.7.9',
  how: ', Gateway API',
  with: ['Gateway API 1.5.1'],
  // A listener of Traefik is an entry point, found by the port of its pods.
  controller: chart => new PassthroughGateway(chart, 'edge', {
    namespace: 'gateways',
    gatewayClassName: 'traefik',
    routeNamespaceLabels: NAMESPACE_LABELS,
    listeners: listeners.map(listener => ({ ...listener, port: entryPoints.portOf(listener.publicPort) })),
  }).asController(),
  definitions: readdirSync(DEFINITIONS).map(file => join(DEFINITIONS, file)),
  start: async cluster => {
    await cluster.apply([{
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'traefik' },
      spec: { controllerName: 'traefik.io/gateway-controller' },
    }]);
    await startTraefik(PROGRAM, cluster, entryPoints, ['--providers.kubernetesgateway']);
  },
  listensAt: port => entryPoints.portOf(port),
  filtersSources: false,
  konnectivityPort: 8132,
});
