import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { ReportedPlatform } from './platform';
import {
  ControlPlanePlatform, ExposureReport, IngressController, ManagementCluster, PassthroughGateway, ReportedPrerequisite, SharedIngressGateway,
  TcpProxyAddon, TcpProxyCertificate, TenantCharts, TenantDelivery,
} from '../../src';

const EXAMPLES = join(__dirname, '..', '..', 'examples');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prerequisites-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Kind and name of what is listed, with where it must be. */
function titles(report: ExposureReport): string[] {
  return report.toJson().prerequisites.map(({ kind, namespace: of, name, clusters }) => `${kind} ${of ? `${of}/` : ''}${name} in ${clusters.join(', ')}`);
}

function found(report: ExposureReport, kind: string, name: string): ReportedPrerequisite | undefined {
  return report.toJson().prerequisites.find(each => each.kind === kind && each.name === name);
}

function namespace(chart: Chart, name: string): void {
  new ApiObject(chart, `namespace-${name}`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

test.each(['hypershift', 'kamaji-gateway-api', 'kamaji-sync'])('the chapter of the example %s is the one that was reviewed', example => {
  process.env.CDK8S_OUTDIR = join(folder, example);
  jest.spyOn(process, 'emitWarning').mockImplementation();
  const { app }: { app: App } = jest.requireActual(join(EXAMPLES, example, 'main'));
  const { ExposureReport: Report } = jest.requireActual('../../src');
  const report: ExposureReport = new Report(app, 'chapter', { fileName: 'chapter' });
  const [, chapter] = /\n## Must exist before\n\n([^]*?)\n## /.exec(report.markdown())!;
  expect(`\n${chapter}`).toMatchSnapshot();
});

describe('what is listed', () => {
  test('is not what another chart for the same cluster brings, and is what a chart for another cluster does', () => {
    const made = new ReportedPlatform();
    made.tenant('tenant-01');
    const report = new ExposureReport(made.management, 'report');
    expect(titles(report)).toContain('Namespace tenants in management');

    const elsewhere = new Chart(made.app, 'elsewhere');
    ManagementCluster.assign(elsewhere, 'eu-1');
    new PassthroughGateway(elsewhere, 'gateway', { namespace: 'gateways', gatewayClassName: 'cilium', listeners: [{ name: 'k8s', hostname: '*.k8s.example.com' }] });
    namespace(elsewhere, 'tenants');
    expect(titles(report)).toContain('Namespace tenants in management');

    namespace(new Chart(made.app, 'namespaces'), 'tenants');
    expect(titles(report)).not.toContain('Namespace tenants in management');
  });

  test('is told for each management cluster', () => {
    const made = new ReportedPlatform();
    const report = made.report();
    for (const name of ['eu-1', 'us-1']) {
      const chart = new Chart(made.app, name);
      ManagementCluster.assign(chart, name);
      new PassthroughGateway(chart, 'gateway', { namespace: 'gateways', gatewayClassName: name === 'eu-1' ? 'cilium' : 'istio', listeners: [{ name: 'k8s', hostname: '*.k8s.example.com' }] });
    }
    expect(titles(report)).toEqual([
      'API Gateway in eu-1, us-1', 'Namespace gateways in eu-1, us-1', 'GatewayClass cilium in eu-1', 'GatewayClass istio in us-1',
    ]);
    expect(report.markdown()).toContain('| GatewayClass | `istio` | has the controller serve the Gateway | Gateway gateways/gateway | us-1 |');
  });

  test('is a certificate of a tcp-proxy that nobody makes, and not one that sync makes', () => {
    const secret = 'Secret kube-system/tcp-proxy-tls in tenants/tenant-01';
    const listed = (delivery: TenantDelivery, certificate?: TcpProxyCertificate) => {
      const made = new ReportedPlatform();
      const controlPlane = made.tenant('tenant-01');
      new TcpProxyAddon(new TenantCharts(made.management, 'charts', { delivery }).of(controlPlane), 'tcp-proxy', { controlPlane, certificate });
      return titles(made.report());
    };
    expect(listed(TenantDelivery.sync())).not.toContain(secret);
    expect(listed(TenantDelivery.sync(), TcpProxyCertificate.existingSecret('tcp-proxy-tls'))).toContain(secret);
    expect(listed(TenantDelivery.manifests(), TcpProxyCertificate.existingSecret('tcp-proxy-tls'))).toContain(secret);
  });

  test('is a cluster that Argo CD must know, unless it is registered', () => {
    const listed = (registration?: {}) => {
      const made = new ReportedPlatform();
      new TenantCharts(made.management, 'charts', { delivery: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git', registration }) }).of(made.tenant('tenant-01'));
      return titles(made.report());
    };
    expect(listed()).toContain('Cluster of Argo CD argocd/tenants-tenant-01 in management');
    expect(listed({}).filter(title => title.includes('Argo CD argocd'))).toEqual([]);
  });

  test('is what platforms and controllers of your own require', () => {
    const made = new ReportedPlatform();
    const platform = ControlPlanePlatform.kamaji();
    platform.prerequisites = ({ namespace: own }) => [{ kind: 'Secret', namespace: own, name: 'licence', reason: 'lets the operator start' }];
    const controller = IngressController.haproxy();
    controller.prerequisites = () => [{ kind: 'Operator', name: 'KAMAJI', reason: 'is one that the controller needs too' }];
    made.tenant('tenant-01', { platform, controller });
    const report = made.report();
    expect(found(report, 'Secret', 'licence')).toEqual({
      kind: 'Secret',
      apiVersion: 'v1',
      namespace: 'tenants',
      name: 'licence',
      reason: 'lets the operator start',
      clusters: ['management'],
      neededBy: ['TenantControlPlane tenants/tenant-01'],
    });
    expect(found(report, 'Operator', 'Kamaji')).toMatchObject({ reason: 'is one that the controller needs too', read: 'Kamaji 26.8.2-edge' });
    expect(found(report, 'Operator', 'KAMAJI')).toBeUndefined();
  });

  test('is a label of namespaces by which the NetworkPolicy of a shared gateway lets it out to control planes', () => {
    const made = new ReportedPlatform();
    const gateway = new SharedIngressGateway(made.management, 'edge', { namespace: 'edge', tenantNamespaceLabels: { tenants: 'yes' } });
    made.tenant('tenant-01', { controller: gateway.asController() });
    expect(found(made.report(), 'Namespace', 'tenants')).toMatchObject({ labels: { tenants: 'yes' } });
  });

  test('is what is applied after patches', () => {
    const made = new ReportedPlatform();
    made.tenant('tenant-01', { namespace: 'default' });
    const service = new ApiObject(made.management, 'service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'before' } });
    const report = made.report();
    expect(titles(report)).toContain('Namespace before in management');
    service.addJsonPatch(JsonPatch.replace('/metadata/namespace', 'after'));
    expect(titles(report).filter(title => title.startsWith('Namespace'))).toEqual(['Namespace after in management']);
  });

  test('is nothing in an app without objects', () => {
    const app = Testing.app();
    expect(new ExposureReport(app, 'report').markdown()).toContain('\n## Must exist before\n\nThe manifests hold all that they refer to.\n');
  });
});

describe('the list of images', () => {
  test('has one image on each line, with the digest that the manifests have, and none whose tag is not known', () => {
    const made = new ReportedPlatform();
    made.tenant('tenant-01', { konnectivity: {} });
    const image = `registry.example.com/tools/job:1@sha256:${'0'.repeat(64)}`;
    new ApiObject(new Chart(made.app, 'jobs'), 'job', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'job', namespace: 'default' },
      spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'job', image }], initContainers: [{ name: 'first', image: 'localhost:5000/first' }] } } } } },
    });
    const report = made.report();
    made.app.synth();
    expect(readFileSync(report.imagesFile, 'utf8').split('\n')).toEqual([
      image, ...['apiserver', 'controller-manager', 'scheduler'].map(name => `registry.k8s.io/kube-${name}:v1.31.0`), '',
    ]);
    expect(report.toJson().images.filter(({ complete }) => !complete).map(each => each.image))
      .toEqual(['localhost:5000/first', 'registry.k8s.io/kas-network-proxy/proxy-agent', 'registry.k8s.io/kas-network-proxy/proxy-server']);
  });
});
