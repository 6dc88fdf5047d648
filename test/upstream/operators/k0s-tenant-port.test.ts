import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { HostedK0s, K0S_API_SERVER_VERSION, K0S_VERSION, KONNECTIVITY_HOST } from './support/hosted-k0s';
import {
  ControlPlanePlatform, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath, SharedIngressGateway, TenantCharts,
  TenantDelivery,
} from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { stopParts } from '../../data-path/support/parts';
import { EXPOSURE } from '../../e2e/support/cluster';
import { CORE_GROUPS, Management } from '../../e2e/support/delivery';

/*
 * A port of a tenant of k0smotron at the shared address, docs/tenant-port.md, with k0s itself. The edge leads the hosts; the tests of
 * edges dial ports.
 */

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
const [ADDRESS, PORT] = ['203.0.113.10', 20384];
/** Of a tenant. */
const TESTS = 3;

let tenant: HostedK0s;
let passed = 0;

function manifests(): any[] {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) });
  const gateway = new SharedIngressGateway(new Chart(app, 'edge'), 'gateway', { namespace: 'shared-ingress', portRange: { first: 20000, last: 20999 } });
  const chart = new Chart(app, 'management');
  const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() });
  const controlPlane = new IngressExposedControlPlane(chart, NAME, {
    namespace: NAMESPACE,
    kubernetesVersion: K0S_VERSION,
    hostname: HOST,
    konnectivity: { hostname: KONNECTIVITY_HOST },
    platform: ControlPlanePlatform.k0smotron(),
    controller: gateway.asController(),
    kubernetesService: KubernetesServicePath.port({ addresses: [ADDRESS], port: PORT }),
  });
  new KubernetesServiceEndpoints(tenants.of(controlPlane), 'kubernetes', { controlPlane });
  return chart.toJson().filter(({ apiVersion }: any) => CORE_GROUPS.includes(apiVersion) || apiVersion.startsWith('k0smotron.io/'));
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  tenant = await HostedK0s.start(manifests());
}, 900_000);

afterAll(async () => {
  await tenant?.record(
    'a tenant with a port of the shared address: its endpoints and the worker profile of k0s from the start, sync, and their life when k0s starts again', passed === TESTS,
  );
  await stopParts();
  jest.restoreAllMocks();
});

test('the endpoints are the shared address from the start, without a slice', async () => {
  expect(await tenant.apiServerFlag('endpoint-reconciler-type')).toBe('none');
  await tenant.publishes([`endpoints ${ADDRESS}:${PORT}`], 120_000);
  expect(await tenant.get('daemonset', 'default', 'k0smotron-haproxy')).toBeUndefined();
  passed++;
}, 180_000);

test('the profile that workers of k0s get has the shared address', async () => {
  const minor = K0S_API_SERVER_VERSION.replace(/\.\d+$/, '');
  const profile = await eventually(() => tenant.get('configmap', 'kube-system', `worker-config-default-${minor}`), 120_000);
  expect(JSON.parse(profile.data.apiServerAddresses)).toEqual([`${ADDRESS}:${PORT}`]);
  passed++;
}, 180_000);

test('sync brings the slice, and both stay so when k0s starts again', async () => {
  const management = Management.of(tenant.management, 'tenant-sync');
  await management.synced(await management.startSync('sync-k0s', 8412), 120_000);
  const both = [`endpoints ${ADDRESS}:${PORT}`, `kubernetes ${ADDRESS}:${PORT}`];
  await tenant.publishes(both, 120_000);
  await tenant.restart();
  await tenant.publishes(both, 120_000);
  passed++;
}, 500_000);
