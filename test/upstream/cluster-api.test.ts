import { readFileSync } from 'fs';
import { join } from 'path';
import { ApiObject, App, Chart } from 'cdk8s';
import { startClusterApi } from './support/cluster-api';
import { LOAD_BALANCER, Providers } from './support/cluster-api-providers';
import { provided } from './support/provided';
import {
  ClusterApiVersion, ControlPlanePlatform, HetznerAccess, HetznerHostedCluster, HetznerHostedClusterProps, HetznerRegion, IngressController,
  IngressExposedControlPlane, TcpProxyAddon, TcpProxyPlacement, TenantCharts, TenantDelivery,
} from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { Cluster, EXPOSURE } from '../e2e/support/cluster';
import { KUBERNETES_VERSION } from '../e2e/support/versions';
import { recordRun } from '../support/compatibility';

/** Cluster API's core, of scripts/cluster-api.sh. */
const [FOLDER] = provided('cluster-api');
const { namespace: NAMESPACE, name: TENANT, api: ENDPOINT } = EXPOSURE;
const KAMAJI_TENANT = 'kamaji-01';
/** What the tests look at, each once it was seen. */
const seen: string[] = [];
const TESTS = 6;
const DEADLINE_MS = 120_000;

const ACCESSES: { readonly [name: string]: () => HetznerAccess } = {
  'load-balancer': () => HetznerAccess.loadBalancer(),
  'node-port': () => HetznerAccess.nodePort({ host: '203.0.113.20' }),
  'ingress': () => HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
};
const COMMON = {
  namespace: NAMESPACE,
  k0sVersion: 'v1.35.6+k0s.0',
  region: HetznerRegion.NBG1,
  workers: { replicas: 1, type: 'cpx22', image: 'ubuntu-24.04' },
  sshKeyNames: ['ops@example'],
};

interface Wish {
  /** Machines of the tenant with nodes. */
  readonly workers?: Partial<HetznerHostedClusterProps['workers']>;
  /** Replicas of the tcp-proxy in it. */
  readonly proxies?: number;
}

/** A cluster for each access and version of Cluster API, whose tenants no test plays; one with a tenant, and one of Kamaji. */
function manifests({ workers, proxies }: Wish = {}): any[] {
  const chart = new Chart(new App(), 'management');
  for (const [access, make] of Object.entries(ACCESSES)) {
    for (const [i, clusterApiVersion] of Object.values(ClusterApiVersion).entries()) {
      new HetznerHostedCluster(chart, `${access}-${i}`, {
        ...COMMON,
        access: make(),
        clusterApiVersion,
        ...access === 'node-port' && { controlPlane: { apiPort: 31_443 + i, konnectivityPort: 31_132 + i } },
      });
    }
  }
  const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.clusterResourceSet() });
  const tenant = new HetznerHostedCluster(chart, TENANT, {
    ...COMMON,
    workers: { ...COMMON.workers, replicas: 2, ...workers },
    access: HetznerAccess.ingress({ controller: IngressController.haproxy(), hostname: ENDPOINT.host, konnectivityHostname: 'tenant-01.konnectivity.example.com' }),
  });
  new TcpProxyAddon(tenants.of(tenant.controlPlane!), 'tcp-proxy', { controlPlane: tenant.controlPlane!, placement: TcpProxyPlacement.replicas({ replicas: proxies }) });
  kamajiCluster(chart);
  return chart.toJson();
}

/** As docs/kamaji.md has it: the Cluster is the user's. */
function kamajiCluster(chart: Chart): void {
  const { platformObject } = new IngressExposedControlPlane(chart, KAMAJI_TENANT, {
    namespace: NAMESPACE,
    kubernetesVersion: '1.34.3',
    hostname: `${KAMAJI_TENANT}.k8s.example.com`,
    konnectivity: { hostname: `${KAMAJI_TENANT}.konnectivity.example.com` },
    platform: ControlPlanePlatform.kamajiControlPlane(),
    controller: IngressController.haproxy(),
  });
  const metadata = { name: KAMAJI_TENANT, namespace: NAMESPACE };
  new ApiObject(chart, 'kamaji-infrastructure', {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'HetznerCluster',
    metadata,
    spec: { controlPlaneRegions: ['nbg1'], controlPlaneLoadBalancer: { enabled: false }, hetznerSecretRef: { name: 'hetzner', key: { hcloudToken: 'hcloud' } }, sshKeys: { hcloud: [] } },
  });
  new ApiObject(chart, 'kamaji-cluster', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: {
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HetznerCluster', name: KAMAJI_TENANT },
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: platformObject.name },
    },
  });
}

/** Cluster API by its core, its webhooks and conversions; providers answer as far as the contract goes. */
describe('Cluster API', () => {
  let management: Cluster;
  let tenant: Cluster;
  let providers: Providers;

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    [management, tenant] = await Promise.all([Cluster.start({ behindIngress: false }), Cluster.start()]);
    await startClusterApi(management, FOLDER);
    await management.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `${TENANT}-kubeconfig`, namespace: NAMESPACE, labels: { 'cluster.x-k8s.io/cluster-name': TENANT } },
        type: 'cluster.x-k8s.io/secret',
        stringData: { value: adminKubeconfig(tenant) },
      },
    ]);
    providers = new Providers(management, { [`${NAMESPACE}/${TENANT}`]: tenant });
  }, 240_000);

  afterAll(async () => {
    await providers?.stop();
    await stopParts();
    jest.restoreAllMocks();
    await recordRun({
      system: 'Cluster API',
      version: readFileSync(join(FOLDER, 'version'), 'utf8').trim(),
      with: `kube-apiserver ${KUBERNETES_VERSION}; providers as far as the contract`,
      what: 'HetznerHostedCluster in v1beta1 and v1beta2, KamajiControlPlane and TenantDelivery.clusterResourceSet(): admitted as they are, control plane and endpoint found, '
        + 'machines become nodes, a second apply changes nothing, a change of machines and of the tenant\'s objects, removal',
      result: seen.length === TESTS ? 'passed' : 'failed',
    });
  });

  const all = async (kind: string): Promise<any[]> => JSON.parse(await management.kubectl(['get', kind, `--namespace=${NAMESPACE}`, '--output=json'])).items;
  const ofTenant = async (kind: string): Promise<any[]> => (await all(kind)).filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] === TENANT);

  test('its webhooks admit every object, in each version of its API', async () => {
    await eventually(() => management.apply(manifests(), '--validate=strict'), 60_000);
    providers.start();
    seen.push('objects are admitted');
  }, 180_000);

  test('it finds control planes and infrastructure, and has their endpoint', async () => {
    const clusters = await eventually(async () => {
      const found = await all('clusters.cluster.x-k8s.io');
      const waiting = found.filter(({ status }) => status?.phase !== 'Provisioned' || !status.initialization.controlPlaneInitialized);
      if (waiting.length > 0) {
        throw new Error(JSON.stringify(waiting.map(({ metadata, status }) => [metadata.name, status?.conditions])));
      }
      return found;
    }, DEADLINE_MS);
    const endpoints = Object.fromEntries(clusters.map(({ metadata, spec }) => [metadata.name, spec.controlPlaneEndpoint]));
    expect(endpoints).toEqual({
      'ingress-0': { host: 'ingress-0.k8s.example.com', port: 443 },
      'ingress-1': { host: 'ingress-1.k8s.example.com', port: 443 },
      'node-port-0': { host: '203.0.113.20', port: 31_443 },
      'node-port-1': { host: '203.0.113.20', port: 31_444 },
      // From the infrastructure, where k0smotron writes it.
      'load-balancer-0': LOAD_BALANCER,
      'load-balancer-1': LOAD_BALANCER,
      [TENANT]: ENDPOINT,
      // From the control plane, as its provider says it there.
      [KAMAJI_TENANT]: { host: `${KAMAJI_TENANT}.k8s.example.com`, port: 443 },
    });
    for (const kind of ['hetznerclusters', 'k0smotroncontrolplanes', 'kamajicontrolplanes']) {
      for (const { metadata: { name, ownerReferences } } of await all(kind)) {
        expect([name, ownerReferences]).toEqual([name, [expect.objectContaining({ kind: 'Cluster', name: name.replace(/-cp$/, '') })]]);
      }
    }
    seen.push('owners and endpoints');
  }, 180_000);

  test('machines are made of the templates, and become nodes of the tenant', async () => {
    const machines = await eventually(async () => {
      const found = await ofTenant('machines.cluster.x-k8s.io');
      if (found.length !== 2 || found.some(({ status }) => status?.phase !== 'Running')) {
        throw new Error(JSON.stringify(found.map(({ metadata, status }) => [metadata.name, status?.phase, status?.conditions])));
      }
      return found;
    }, DEADLINE_MS);
    for (const { spec } of machines) {
      expect(spec).toMatchObject({ version: 'v1.35.6', failureDomain: 'nbg1', clusterName: TENANT });
    }
    expect((await ofTenant('hcloudmachines')).map(({ spec }) => [spec.type, spec.imageName])).toEqual([['cpx22', 'ubuntu-24.04'], ['cpx22', 'ubuntu-24.04']]);
    expect((await ofTenant('k0sworkerconfigs')).map(({ spec }) => spec.version)).toEqual(['v1.35.6+k0s.0', 'v1.35.6+k0s.0']);
    expect((await nodes()).sort()).toEqual((await ofTenant('hcloudmachines')).map(({ metadata }) => metadata.name).sort());
    seen.push('machines become nodes');
  }, 180_000);

  test('what is applied again changes nothing, and no field of it is another\'s', async () => {
    const qualified = ({ kind, apiVersion }: any) => apiVersion.includes('/') ? `${kind}.${apiVersion.split('/').reverse().join('.')}` : kind;
    const kinds = [...new Set(manifests().map(qualified))].join();
    const generations = async () => Object.fromEntries((await all(kinds)).map(({ kind, metadata: { name, generation } }) => [`${kind} ${name}`, generation]));
    const before = await generations();
    await management.apply(manifests(), '--validate=strict');
    expect(await generations()).toEqual(before);
    // Of references the API server fills in parts, so they differ from those that kubectl has applied.
    const conflicts = await management.apply(manifests(), '--server-side', '--dry-run=server', '--field-manager=delivery').catch(({ message }: Error) => message);
    expect([...conflicts.matchAll(/conflicts? with "([^"]+)"/g)].map(([, manager]) => manager).filter(manager => manager !== 'kubectl-client-side-apply')).toEqual([]);
    seen.push('a second apply changes nothing');
  }, 120_000);

  test('a ClusterResourceSet brings the objects of the tenant, and what changed of them', async () => {
    await eventually(async () => (await tenant.get('deployment', 'kube-system', 'tcp-proxy'))?.spec.replicas === 2, DEADLINE_MS);
    await management.apply(manifests({ proxies: 3 }));
    await eventually(async () => (await tenant.get('deployment', 'kube-system', 'tcp-proxy')).spec.replicas === 3, DEADLINE_MS);
    seen.push('a ClusterResourceSet delivers and changes');
  }, 300_000);

  test('other machines take the place of those of which something changed, and a Cluster takes all with it', async () => {
    const old = await nodes();
    await management.apply(manifests({ workers: { type: 'cpx42', replicas: 1 } }));
    await eventually(async () => {
      const types = (await ofTenant('hcloudmachines')).map(({ spec }) => spec.type);
      if (types.join() !== 'cpx42') {
        throw new Error(JSON.stringify(await ofTenant('machines.cluster.x-k8s.io')));
      }
      // The control plane is another's (status.externalManagedControlPlane): nodes go with their machines all the same.
      return !(await nodes()).some(name => old.includes(name));
    }, 240_000);
    await management.kubectl(['delete', 'clusters.cluster.x-k8s.io', '--all', `--namespace=${NAMESPACE}`, '--timeout=120s']);
    for (const kind of ['machinedeployments', 'machines', 'hetznerclusters', 'k0smotroncontrolplanes', 'kamajicontrolplanes', 'hcloudmachines']) {
      expect([kind, await all(kind)]).toEqual([kind, []]);
    }
    seen.push('a change of machines, and removal');
  }, 480_000);

  async function nodes(): Promise<string[]> {
    return JSON.parse(await tenant.kubectl(['get', 'nodes', '--output=json'])).items.map(({ metadata }: any) => metadata.name);
  }
});

/** The kubeconfig that the provider of the control plane makes, with the public endpoint. */
function adminKubeconfig(tenant: Cluster): string {
  const base64 = (name: string) => readFileSync(tenant.file(name)).toString('base64');
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'tenant', cluster: { 'server': `https://${ENDPOINT.host}:${ENDPOINT.port}`, 'certificate-authority-data': base64('ca.crt') } }],
    'users': [{ name: 'admin', user: { 'client-certificate-data': base64('admin.crt'), 'client-key-data': base64('admin.key') } }],
    'contexts': [{ name: 'admin', context: { cluster: 'tenant', user: 'admin' } }],
    'current-context': 'admin',
  });
}
