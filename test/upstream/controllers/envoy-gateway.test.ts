import { readdirSync } from 'fs';
import { join } from 'path';
import { checkCompetitors } from './support/competitors';
import { containerPort, startEnvoyGateway } from './support/envoy-gateway';
import { describeController } from './support/suite';
import { DOMAIN, NAMESPACE_LABELS, PORT_RANGE } from './support/tenants';
import { PassthroughGateway } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { provided } from '../support/provided';

const [PROGRAM, DEFINITIONS] = provided('envoy-gateway');
const [ENVOY] = provided('envoy');
const [GATEWAY_API] = provided('gateway-api');
const GATEWAY_API_VERSION = '1.6.3';
/** Those of the API that its documents tell to install. */
const API_DEFINITIONS = join(GATEWAY_API, GATEWAY_API_VERSION, 'standard');

/** Not that of the backends, as Envoy takes a port at all addresses. */
const KONNECTIVITY_PORT = 8133;

for (const listenerSets of [false, true]) {
  describeController({
    system: 'Envoy Gateway',
    version: '1.9.1',
    how: listenerSets ? ', ports of tenants in ListenerSets' : undefined,
    with: ['Envoy 1.40.0', `Gateway API ${GATEWAY_API_VERSION}`],
    controller: chart => new PassthroughGateway(chart, 'edge', {
      namespace: 'gateways',
      gatewayClassName: 'eg',
      routeNamespaceLabels: NAMESPACE_LABELS,
      listeners: ['k8s', 'oauth', 'konnectivity'].map(name => ({ name, hostname: `*.${name}.${DOMAIN}`, port: name === 'konnectivity' ? KONNECTIVITY_PORT : undefined })),
      portRange: PORT_RANGE,
      listenerSets,
    }).asController(),
    definitions: [DEFINITIONS, ...readdirSync(API_DEFINITIONS).map(file => join(API_DEFINITIONS, file))],
    start: cluster => startEnvoyGateway(PROGRAM, ENVOY, cluster, 443),
    listensAt: containerPort,
    filtersSources: false,
    servesPorts: true,
    konnectivityPort: KONNECTIVITY_PORT,
  }, (check, fleet) => {
    check('its status says that it has accepted every route', async () => {
      await eventually(async () => {
        const { items } = JSON.parse(await fleet().cluster.kubectl(['get', 'tlsroutes,tcproutes', '--all-namespaces', '--output', 'json']));
        const conditions = items.flatMap(({ kind, metadata, status }: any) => status.parents.flatMap(({ conditions: of }: any) =>
          of.map(({ type, status: is }: any) => `${kind} ${metadata.namespace}/${metadata.name} ${type} ${is}`)));
        expect(conditions.filter((text: string) => !text.endsWith(' True'))).toEqual([]);
        expect(items.length).toBe(fleet().routes.length + 2);
        return true;
      });
    });

    checkCompetitors(check, fleet, ({ hostname }) => ({
      'an older TLSRoute': {
        object: {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'TLSRoute',
          metadata: { name: 'of-somebody', namespace: 'team' },
          spec: { parentRefs: [{ name: 'edge', namespace: 'gateways' }], hostnames: [hostname], rules: [{ backendRefs: [{ name: 'four', port: 6443 }] }] },
        },
        older: true,
      },
    }));
  });
}
