import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart, Testing } from 'cdk8s';
import { Cluster } from './support/cluster';
import { Gateway } from './support/gateway';
import { Exposure, SharedIngressGateway } from '../../src';
import { CONTAINER } from '../../src/shared-gateway/gateway-pod';
import { eventually } from '../data-path/support/eventually';
import { answerTo, clusterIdHeader } from '../data-path/support/gateway';
import { stopParts } from '../data-path/support/parts';
import { TenantServer } from '../data-path/support/tenant-server';

jest.setTimeout(120_000);

const NAMESPACE = 'shared-ingress';
const USER = `system:serviceaccount:${NAMESPACE}:edge`;
const NAMES = ['first', 'second'];

let cluster: Cluster;
let gateway: Gateway;
let ports: { [name: string]: number };

beforeAll(async () => {
  ports = { first: (await TenantServer.start('first')).port, second: (await TenantServer.start('second')).port };
  cluster = await Cluster.start({ behindIngress: false });
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  await applyRoutes('first');
  const folder = mkdtempSync(join(tmpdir(), 'routes-'));
  writeFileSync(join(folder, 'token'), await cluster.token(NAMESPACE, 'edge'));
  gateway = await Gateway.start([tenant('first')], [
    ...manifestsFor('first').find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].args
      .filter((arg: string) => arg.startsWith('--route-config-map=')),
    `--namespace=${NAMESPACE}`, `--api-server=https://127.0.0.1:${cluster.port}`, `--ca-file=${cluster.caFile}`, `--token-file=${folder}/token`,
  ]);
  gateway.makeServices(NAMES.map(tenant));
}, 120_000);

afterAll(stopParts);

function tenant(name: string) {
  const exposure = new Exposure({
    name, namespace: 'tenants', hostname: `${name}.k8s.example.com`, clusterId: name, backend: { serviceName: name, apiPort: ports[name] },
  });
  return { exposure, routes: exposure.routes };
}

/** What the library writes for a gateway with these tenants. */
function manifestsFor(...names: string[]): any[] {
  const chart = new Chart(Testing.app(), 'management');
  const shared = new SharedIngressGateway(chart, 'edge', { namespace: NAMESPACE, routeShards: 2 });
  names.forEach(name => shared.register(tenant(name).exposure));
  return Testing.synth(chart);
}

/** Applies all but the workload, which the test plays. */
async function applyRoutes(...names: string[]): Promise<void> {
  await cluster.apply(manifestsFor(...names).filter(({ kind }) => ['ConfigMap', 'ServiceAccount', 'Role', 'RoleBinding'].includes(kind)));
}

const answer = (name: string) => answerTo({ clusterIdPort: CONTAINER.clusterIdPort }, clusterIdHeader(name));

test('a tenant comes and goes by kubectl apply alone, long before a kubelet would mount the change', async () => {
  expect([await answer('first'), await answer('second')]).toEqual(['first', '']);
  await applyRoutes('first', 'second');
  await eventually(async () => await answer('second') === 'second');
  await applyRoutes('first');
  await eventually(async () => await answer('second') === '');
  expect(await answer('first')).toBe('first');
});

test('the gateway has asked for its own ConfigMaps and nothing else, and was refused nothing', () => {
  const events = cluster.auditOf(USER);
  expect(new Set(events.map(({ verb, objectRef, responseStatus }) => `${verb} ${objectRef?.resource} ${responseStatus?.code}`)))
    .toEqual(new Set(['list configmaps 200', 'watch configmaps 200']));
  expect(events.every(({ requestURI }) => /fieldSelector=metadata\.name%3Dedge-routes-[01]-of-2(&|$)/.test(requestURI))).toBe(true);
});
