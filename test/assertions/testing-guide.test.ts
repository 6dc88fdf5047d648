import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Tenant } from './worked-example/tenant';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, SynthesizedPlatform, TcpProxyAddon, TcpProxyCertificate, TenantCharts,
  TenantDelivery,
} from '../../src';
import { DEFAULT_TCP_PROXY_IMAGE } from '../../src/agent/image';

const guide = readFileSync(join(__dirname, '..', '..', 'docs', 'testing.md'), 'utf8');

describe('the worked example of docs/testing.md', () => {
  // The folder's tests compile and run it.
  test.each(['tenant.ts', 'tenant.test.ts', 'tenant.node.ts'])('is %s of this folder', file => {
    const source = readFileSync(join(__dirname, 'worked-example', file), 'utf8').replace("'../../../src'", "'cdk8s-hosted-control-plane'");

    expect(guide).toContain(`\`\`\`typescript\n${source}\`\`\``);
  });
});

test('the worked example without jest passes, and can fail', () => {
  const run = (file: string) => spawnSync(process.execPath, ['--import', 'tsx', '--test', file], { encoding: 'utf8', cwd: join(__dirname, '..', '..') });
  const program = join(__dirname, 'worked-example', 'tenant.node.ts');
  expect(run(program)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^# pass 2$/m) });

  const folder = mkdtempSync(join(tmpdir(), 'testing-guide-'));
  try {
    symlinkSync(join(__dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
    const broken = join(folder, 'tenant.node.ts');
    writeFileSync(broken, readFileSync(program, 'utf8').replace('tenants-tenant-01.k8s', 'other.k8s')
      .replace(/'(\.[^']*)'/g, (_, path) => JSON.stringify(join(__dirname, 'worked-example', path))));
    expect(run(broken)).toMatchObject({ status: 1, stdout: expect.stringMatching(/^# fail 1$/m) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

const DELIVERIES: [string, () => TenantDelivery][] = [
  ['sync()', () => TenantDelivery.sync()],
  ['manifests()', () => TenantDelivery.manifests()],
  ['flux()', () => TenantDelivery.flux({ source: { name: 'platform' } })],
  ['argoCd()', () => TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' })],
  ['clusterResourceSet()', () => TenantDelivery.clusterResourceSet()],
];

interface Variation {
  readonly names?: string[];
  readonly maxConnections?: number;
}

/** A platform whose tenants are delivered. */
function platform(delivery: TenantDelivery, { names = ['tenant-01'], maxConnections }: Variation = {}): { app: App; management: Chart; tenants: TenantCharts } {
  const app = Testing.app();
  const management = new Chart(app, 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery });
  for (const name of names) {
    const controlPlane = new IngressExposedControlPlane(management, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamajiControlPlane(),
      controller: IngressController.haproxy(),
    });
    const certificate = TcpProxyCertificate.existingSecret('tcp-proxy-tls');
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane, certificate, maxConnections, image: 'registry.example.com/tcp-proxy:1.4.2' });
  }
  return { app, management, tenants };
}

describe.each(DELIVERIES)('a platform that is delivered by %s', (_, delivery) => {
  test('is read with its tenants, in which nothing disagrees', () => {
    const { app, management, tenants } = platform(delivery(), { names: ['tenant-01', 'tenant-02'] });

    expect(SynthesizedPlatform.ofApp(app).findings()).toEqual([]);
    expect(SynthesizedPlatform.of(management, ...tenants.charts).findings()).toEqual([]);
  });

  test('shows what is wrong with a tenant', () => {
    const { app, tenants } = platform(delivery());
    const configuration = tenants.charts[0].node.findAll().find(construct => ApiObject.isApiObject(construct) && construct.kind === 'ConfigMap') as ApiObject;
    const text: string = configuration.toJson().data['haproxy.cfg'];
    configuration.addJsonPatch(JsonPatch.replace('/data/haproxy.cfg', text.replaceAll('verify required', 'verify none')));

    expect(SynthesizedPlatform.ofApp(app).findings().map(({ code }) => code)).toContain('HCP616');
  });

  test('tells what the proxy of a tenant connects to, and which tenant is meant where there are several', () => {
    const { app, tenants } = platform(delivery(), { names: ['tenant-01', 'tenant-02'] });

    for (const chart of tenants.charts) {
      expect(SynthesizedPlatform.of(chart).proxyUpstream()).toMatchObject({ host: `tenants-${chart.node.id}.k8s.example.com`, verified: true });
      expect(SynthesizedPlatform.of(chart).proxyFlags().endpoints).toBe('owned');
    }
    expect(() => SynthesizedPlatform.ofApp(app).proxyUpstream()).toThrow('Give the chart of one tenant alone, e.g. SynthesizedPlatform.of(tenants.of(controlPlane)).');
    expect(SynthesizedPlatform.ofApp(platform(delivery()).app).proxyUpstream().host).toBe('tenants-tenant-01.k8s.example.com');
  });

  test('has a snapshot that does not change with the order of objects, nor with a generated configuration and its checksum', () => {
    const stable = (names: string[], maxConnections?: number) =>
      SynthesizedPlatform.ofApp(platform(delivery(), { names, maxConnections }).app).stableManifests();
    const manifests = stable(['tenant-01', 'tenant-02']);

    expect(stable(['tenant-02', 'tenant-01'])).toEqual(manifests);
    expect(stable(['tenant-01', 'tenant-02'], 500)).toEqual(manifests);
    expect(JSON.stringify(manifests)).not.toMatch(/checksum|maxconn/);
    expect(manifests.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tcp-proxy')).toHaveLength(2);
  });
});

describe('a snapshot', () => {
  test('has what ConfigMaps hold beside manifests, as it is', () => {
    const configMap = (data: any) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data });
    const [stable] = SynthesizedPlatform.ofManifests([configMap({
      'values.yaml': 'kind: of values', 'settings.json': '{"a":1,"checksum":"b"}', 'broken.json': '{', 'objects.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team\n',
    })]).stableManifests();

    expect(stable).toEqual(configMap({ 'values.yaml': 'kind: of values', 'settings.json': '{\n  "a": 1\n}', 'broken.json': '{' }));
  });

  test('does not have the default image, which follows the version of the library', () => {
    const app = Testing.app();
    new Tenant(app, 'tenant-01');

    expect(JSON.stringify(SynthesizedPlatform.ofApp(app).stableManifests())).not.toContain(DEFAULT_TCP_PROXY_IMAGE);
  });
});
