import { App, Chart } from 'cdk8s';
import { hetznerProvider } from './support/hetzner';
import { Operator } from './support/operator';
import {
  ClusterApiVersion, HetznerAccess, HetznerHostedCluster, HetznerHostedClusterProps, HetznerRegion, IngressController,
} from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { stopParts } from '../../data-path/support/parts';
import { Cluster } from '../../e2e/support/cluster';
import { KUBERNETES_VERSION } from '../../e2e/support/versions';
import { recordRun } from '../../support/compatibility';

const NAMESPACE = 'clusters';
/** Kinds of the provider. */
const KINDS = ['hetznerclusters', 'hcloudmachinetemplates'].map(kind => `${kind}.infrastructure.cluster.x-k8s.io`);
const TESTS = 4;

const ACCESSES: { readonly [name: string]: () => HetznerAccess } = {
  'load-balancer': () => HetznerAccess.loadBalancer(),
  'node-port': () => HetznerAccess.nodePort({ host: '203.0.113.20' }),
  'ingress': () => HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
};

/** A cluster for each access and version of the provider's API: its objects alone, as nobody else's definitions are there. */
function manifests(workers: Partial<HetznerHostedClusterProps['workers']> = {}): any[] {
  const chart = new Chart(new App(), 'management');
  for (const [access, make] of Object.entries(ACCESSES)) {
    for (const [i, hetznerApiVersion] of Object.values(ClusterApiVersion).entries()) {
      new HetznerHostedCluster(chart, `${access}-${i}`, {
        namespace: NAMESPACE,
        k0sVersion: 'v1.35.6+k0s.0',
        region: HetznerRegion.NBG1,
        workers: { replicas: 1, type: 'cpx22', image: 'ubuntu-24.04', placementGroup: 'workers', ...workers },
        sshKeyNames: ['ops@example'],
        privateNetwork: {},
        access: make(),
        hetznerApiVersion,
        ...access === 'node-port' && { controlPlane: { apiPort: 31_443 + i, konnectivityPort: 31_132 + i } },
      });
    }
  }
  return chart.toJson().filter(({ apiVersion }: any) => apiVersion.startsWith('infrastructure.cluster.x-k8s.io/'));
}

/** The provider asks Hetzner's API at one address, so its controllers wait for a token that is not there. */
describe('Hetzner\'s provider of Cluster API', () => {
  let cluster: Cluster;
  let operator: Operator | undefined;
  let passed = 0;

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    cluster = await Cluster.start({ behindIngress: false });
    // Of scripts/operator.sh.
    const files = await hetznerProvider(cluster, process.env.HETZNER_FOLDER!);
    operator = await Operator.start(cluster, () => files);
    await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  }, 300_000);

  afterAll(async () => {
    if (operator) {
      await recordRun({
        system: 'Cluster API provider Hetzner',
        version: operator.version,
        with: `kube-apiserver ${KUBERNETES_VERSION}`,
        what: 'HetznerHostedCluster in v1beta1 and v1beta2: its objects are admitted by the webhooks and read alike in both versions, a second apply changes nothing, '
          + 'a change of machines, removal',
        result: passed === TESTS ? 'passed' : 'failed',
        note: 'Hetzner\'s API was not there: admission and conversion alone',
      });
    }
    await stopParts();
    jest.restoreAllMocks();
  });

  const all = async (kind: string): Promise<any[]> => JSON.parse(await cluster.kubectl(['get', kind, `--namespace=${NAMESPACE}`, '--output=json'])).items;

  test('admits every object, in each version of its API', async () => {
    await eventually(() => cluster.apply(manifests(), '--validate=strict'), 60_000);
    expect((await all(KINDS[0])).length).toBe(Object.keys(ACCESSES).length * Object.values(ClusterApiVersion).length);
    passed++;
  }, 120_000);

  test('reads them alike in both versions, with the endpoint as it was written', async () => {
    for (const version of Object.values(ClusterApiVersion)) {
      const found = await all(`hetznerclusters.${version}.infrastructure.cluster.x-k8s.io`);
      const endpoints = Object.fromEntries(found.map(({ metadata, spec }) => [metadata.name, spec.controlPlaneEndpoint?.host || undefined]));
      expect(endpoints).toEqual({
        'ingress-0': 'ingress-0.k8s.example.com',
        'ingress-1': 'ingress-1.k8s.example.com',
        'node-port-0': '203.0.113.20',
        'node-port-1': '203.0.113.20',
        'load-balancer-0': undefined,
        'load-balancer-1': undefined,
      });
      const enabled = found.map(({ spec }) => [spec.hcloudNetwork.enabled, spec.controlPlaneLoadBalancer.enabled ?? false]);
      expect(enabled).toEqual(found.map(() => [true, false]));
    }
    passed++;
  });

  test('what is applied again changes nothing, and no field of it is another\'s', async () => {
    const generations = async () =>
      JSON.stringify((await all(KINDS.join())).map(({ kind, metadata: { name, generation } }) => [kind, name, generation]));
    const before = await generations();
    await cluster.apply(manifests(), '--validate=strict');
    expect(await generations()).toBe(before);
    // Placement groups have a type by default, so a list of them differs from that which kubectl has applied.
    const conflicts = await cluster.apply(manifests(), '--server-side', '--dry-run=server', '--field-manager=delivery')
      .catch(({ message }: Error) => message);
    const managers = [...conflicts.matchAll(/conflicts? with "([^"]+)"/g)].map(([, manager]) => manager);
    expect(managers.filter(manager => manager !== 'kubectl-client-side-apply')).toEqual([]);
    passed++;
  }, 120_000);

  test('other machines are other templates, and all of it goes', async () => {
    const before = (await all(KINDS[1])).map(({ metadata }) => metadata.name);
    await cluster.apply(manifests({ type: 'cpx42', placementGroup: 'others' }), '--validate=strict');
    expect((await all(KINDS[1])).length).toBe(before.length * 2);
    for (const kind of KINDS) {
      await cluster.kubectl(['delete', kind, '--all', `--namespace=${NAMESPACE}`, '--timeout=60s']);
      expect([kind, await all(kind)]).toEqual([kind, []]);
    }
    passed++;
  }, 180_000);
});
