import { App, Chart, Testing } from 'cdk8s';
import { Cluster } from './support/cluster';
import { KUBERNETES_VERSION } from './support/versions';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, KonnectivityHostAliases, KubernetesServiceHostInjection } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

const HOST = 'agents.example.com';
const AGENT = { 'k8s-app': 'konnectivity-agent' };

let cluster: Cluster;
let pods = 0;

/** Creates a pod and gives the aliases that the API server stored. */
async function aliasesOf(namespace: string, labels: object, hostAliases?: object[]): Promise<any> {
  const name = `pod-${++pods}`;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels }, spec: { containers: [{ name: 'agent', image: 'agent' }], hostAliases } };
  await cluster.kubectl(['create', '--filename=-'], { input: JSON.stringify(pod) });
  return (await cluster.get('pod', namespace, name)).spec.hostAliases;
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  const app = new App();
  const controlPlane = new IngressExposedControlPlane(new Chart(app, 'management'), 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: KUBERNETES_VERSION,
    konnectivity: { hostname: HOST },
    platform: ControlPlanePlatform.kamaji({ newestKubernetesVersion: KUBERNETES_VERSION.replace(/\.\d+$/, '') }),
    controller: IngressController.traefik(),
    hostname: 'tenant-01.k8s.example.com',
  });
  const tenant = new Chart(app, 'tenant');
  new KonnectivityHostAliases(tenant, 'aliases', { controlPlane, addresses: ['203.0.113.10', '203.0.113.11'] });
  cluster = await Cluster.start({ behindIngress: false, apiServerArgs: KubernetesServiceHostInjection.apiServerArgs(KUBERNETES_VERSION) });
  await cluster.apply(Testing.synth(tenant), '--validate=strict');
  await eventually(async () => await aliasesOf('kube-system', AGENT) !== undefined, 30_000);
}, 120_000);

afterAll(stopParts);

const ALIASES = ['203.0.113.10', '203.0.113.11'].map(ip => ({ ip, hostnames: [HOST] }));

test('an agent gets an alias for each address of its server', async () => {
  expect(await aliasesOf('kube-system', AGENT)).toEqual(ALIASES);
});

test('beside those that it has, and none for a host that it has already', async () => {
  const other = { ip: '192.0.2.1', hostnames: ['other.example.com'] };
  expect(await aliasesOf('kube-system', AGENT, [other])).toEqual([other, ...ALIASES]);
  const own = { ip: '192.0.2.1', hostnames: [HOST] };
  expect(await aliasesOf('kube-system', AGENT, [own])).toEqual([own]);
});

test('other pods are left as they are', async () => {
  expect(await aliasesOf('kube-system', { 'k8s-app': 'kube-dns' })).toBeUndefined();
  expect(await aliasesOf('default', AGENT)).toBeUndefined();
});
