import { readdirSync } from 'fs';
import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, ManagementCluster, SharedIngressGateway, TcpProxyAddon, TcpProxyCertificate,
  TenantCharts, TenantDelivery,
} from '../../src';

const DELIVERIES: [string, () => TenantDelivery][] = [
  ['sync()', () => TenantDelivery.sync()],
  ['manifests()', () => TenantDelivery.manifests()],
  ['flux()', () => TenantDelivery.flux({ source: { name: 'platform' } })],
  ['argoCd()', () => TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' })],
  ['clusterResourceSet()', () => TenantDelivery.clusterResourceSet()],
];

/** An environment: a gateway and tenants of the same names as in every other. */
function environment(app: App, id: string, tenants: number, cluster?: string, delivery = TenantDelivery.sync(), domain = `${id}.example.com`): void {
  const holder = new Construct(app, id);
  const management = new Chart(holder, 'management');
  if (cluster !== undefined) {
    ManagementCluster.assign(holder, cluster);
  }
  const controller = new SharedIngressGateway(management, 'edge', { namespace: 'edge' }).asController();
  const charts = new TenantCharts(management, 'tenants', { delivery });
  for (let i = 0; i < tenants; i++) {
    const controlPlane = new IngressExposedControlPlane(management, `tenant-${i}`, {
      namespace: 'tenants', kubernetesVersion: '1.34.3', domain, konnectivity: {}, platform: ControlPlanePlatform.kamajiControlPlane(), controller,
    });
    new TcpProxyAddon(charts.of(controlPlane), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') });
  }
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('the management cluster', () => {
  test('is that of the nearest construct that it was said of', () => {
    const app = new App();
    const [eu, us] = ['eu', 'us'].map(id => new Chart(app, id));
    const inner = new Construct(eu, 'inner');
    expect(ManagementCluster.assign(eu, 'eu-1').name).toBe('eu-1');
    ManagementCluster.assign(inner, 'eu-2');
    expect([app, eu, us, inner, new Construct(inner, 'x')].map(construct => ManagementCluster.of(construct).name))
      .toEqual(['management', 'eu-1', 'management', 'eu-2', 'eu-2']);
  });

  test('may be said of the whole app, and again where it is the same', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    ManagementCluster.assign(app, 'eu-1');
    expect(ManagementCluster.of(chart).name).toBe('eu-1');
    expect(() => ManagementCluster.assign(app, 'eu-1')).not.toThrow();
  });

  test('cannot be said after something was made for another', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    ManagementCluster.of(new Construct(chart, 'gateway'));
    expect(() => ManagementCluster.assign(chart, 'eu-1')).toThrow(new Error(
      'ManagementCluster.assign: name: "eu-1" comes too late for chart/gateway, which was made for the cluster "management". ' +
      'Call ManagementCluster.assign() for chart before.'));
    expect(() => ManagementCluster.assign(new Chart(app, 'other'), 'eu-1')).not.toThrow();
  });

  test.each(['EU West', 'a.b', ''])('has a name that can be a part of others, not %j', name => {
    expect(() => ManagementCluster.assign(new Chart(new App(), 'chart'), name)).toThrow('is not a valid name');
  });
});

describe('an app with several environments', () => {
  test.each(DELIVERIES)('may use names again in each cluster: %s', (_, delivery) => {
    const app = new App({ outdir: 'unwritten' });
    environment(app, 'eu', 3, 'eu-1', delivery());
    environment(app, 'us', 3, 'us-1', delivery());
    expect(app.node.validate()).toEqual([]);
  });

  test('has folders for the tenants of each, named by it', () => {
    const app = Testing.app();
    environment(app, 'eu', 1, 'eu-1', TenantDelivery.manifests());
    environment(app, 'us', 1, undefined, TenantDelivery.manifests());
    app.synth();
    expect(readdirSync(app.outdir).filter(file => !file.endsWith('.yaml')).sort()).toEqual(['eu-1-tenants-tenant-0', 'tenants-tenant-0']);
  });

  test('is one error for each kind of name that is one in all clusters: their hosts', () => {
    const app = new App({ outdir: 'unwritten' });
    ['eu', 'us'].forEach(id => environment(app, id, 20, id, TenantDelivery.sync(), 'example.com'));
    expect(app.node.validate()).toEqual([
      'SNI host: 40 names are used by both eu and us, e.g. SNI host: "tenants-tenant-0.k8s.example.com:443" of both eu/management/tenant-0 and us/management/tenant-0. ' +
      'A shared address routes on the host alone: give each control plane hosts of its own.',
    ]);
  });

  test.each([2, 3].flatMap(count => DELIVERIES.map(([name, delivery]) => [count, name, delivery] as const)))('is one error where nobody said so: %d of them by %s', (count, _, delivery) => {
    const app = new App({ outdir: 'unwritten' });
    const ids = ['eu', 'us', 'ap'].slice(0, count);
    ids.forEach(id => environment(app, id, 20, undefined, delivery()));
    const errors = app.node.validate();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(new RegExp(`^cluster: \\d{3} names are used more than once in a cluster, by ${count === 2 ? 'both eu and us' : 'ap, eu and us'} \\(\\d{3}, e\\.g\\. `));
    expect(errors[0]).toContain('If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1").');
  });

  test('has one error with a line for each pair of charts where some have names in common, whatever the order', () => {
    const errors = [['a', 'b', 'c'], ['c', 'b', 'a']].map(order => {
      const app = new App({ outdir: 'unwritten' });
      for (const id of order) {
        const chart = new Chart(app, id);
        for (const name of { a: ['one', 'two'], b: ['one', 'three'], c: ['three', 'two'] }[id]!) {
          new IngressExposedControlPlane(chart, name, {
            namespace: 'tenants',
            kubernetesVersion: '1.34.3',
            domain: `${id}.example.com`,
            platform: ControlPlanePlatform.kamaji(),
            controller: IngressController.haproxy(),
          });
        }
      }
      return app.node.validate();
    });
    expect(errors[0]).toEqual([expect.stringMatching(/by both a and b \(\d+, e\.g\. .*\); by both a and c \(\d+, e\.g\. .*\); by both b and c \(\d+, e\.g\. .*\)\. /)]);
    expect(errors[1]).toEqual(errors[0]);
  });
});
