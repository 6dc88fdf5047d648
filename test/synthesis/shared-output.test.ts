import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, KubernetesServicePath, ManagementCluster, TcpProxyAddon, TenantCharts,
  TenantDelivery,
} from '../../src';

/*
 * What test/delivery/cdk8s-cli.test.ts shows of cdk8s-cli itself: --stdout has the app write to a new folder cdk8s-… of temporary
 * files, and --format helm to templates beside a Chart.yaml.
 */
let folders: string[] = [];
let warnings: string[];

beforeEach(() => {
  warnings = [];
  jest.spyOn(process, 'emitWarning').mockImplementation(text => { warnings.push(String(text)); });
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.CDK8S_OUTDIR;
  folders.forEach(made => rmSync(made, { recursive: true, force: true }));
  folders = [];
});

function temporary(prefix: string): string {
  const made = mkdtempSync(join(tmpdir(), prefix));
  folders.push(made);
  return made;
}

const withStdout = () => { process.env.CDK8S_OUTDIR = temporary('cdk8s-'); };
const withOutput = () => { process.env.CDK8S_OUTDIR = temporary('output-'); };
function withHelm(): void {
  const chart = temporary('chart-');
  writeFileSync(join(chart, 'Chart.yaml'), '');
  mkdirSync(join(chart, 'templates'));
  process.env.CDK8S_OUTDIR = join(chart, 'templates');
}

/** @param alone whether it is without a tcp-proxy */
function tenant(chart: Chart, name = 'dev', alone = true): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: `${name}.example.com`,
    konnectivity: {},
    kubernetesService: alone ? KubernetesServicePath.none({ reason: 'a test of the output' }) : undefined,
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.haproxy(),
  });
}

/** Three environments in one app, a chart for each. */
function charts(): App {
  const app = new App();
  for (const name of ['dev', 'stage', 'prod']) {
    const chart = new Chart(app, name);
    ManagementCluster.assign(chart, name);
    tenant(chart, name);
  }
  return app;
}

/** One environment. */
function environment(outdir?: string): App {
  const app = new App({ outdir });
  tenant(new Chart(app, 'management'));
  return app;
}

describe('manifests of several clusters', () => {
  test('as one text are said to be for no cluster', () => {
    withStdout();
    const app = charts();
    app.synth();
    app.synth();
    expect(warnings).toEqual(['"cdk8s synth --stdout" prints the manifests of several clusters (dev, prod, stage) as one text, which no cluster is to get. ' +
      'Synthesize into a folder to apply them.']);
  });

  test('are no Helm chart', () => {
    withHelm();
    expect(() => charts().synth()).toThrow('app: ["dev","prod","stage"] are several clusters, and Helm installs the chart that "cdk8s synth --format helm" writes into one. ' +
      'Run it once for each cluster, e.g. with an environment variable that names it; deliver tenants with TenantDelivery.sync().');
  });

  test('are no Helm chart either where one is that of a tenant', () => {
    withHelm();
    const app = new App();
    new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', { controlPlane: tenant(new Chart(app, 'management'), 'dev', false) });
    expect(() => app.synth()).toThrow('app: ["management","tenants/tenant-01"] are several clusters');
  });

  test('may be in one folder', () => {
    withOutput();
    charts().synth();
    expect(warnings).toEqual([]);
  });

  test.each([withStdout, withHelm])('are not those of one with what sync takes to others: %p', mode => {
    mode();
    const app = new App();
    const chart = new Chart(app, 'management');
    new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() }).of(tenant(chart));
    app.synth();
    expect(warnings).toEqual([]);
  });
});

describe('several apps of one program', () => {
  test('are told when they write over each other', () => {
    withOutput();
    environment().synth();
    expect(warnings).toEqual([]);
    const second = environment();
    second.synth();
    second.synth();
    expect(warnings).toEqual([`outdir: "${process.env.CDK8S_OUTDIR}" is also that of another app of this program, so files of one name are written over. ` +
      'Give each app, e.g. each environment, a folder of its own, e.g. new App({ outdir: join(process.env.CDK8S_OUTDIR ?? "dist", "dev") }).']);
  });

  test('write into folders of their own', () => {
    withOutput();
    ['dev', 'prod'].forEach(name => environment(join(process.env.CDK8S_OUTDIR!, name)).synth());
    expect(warnings).toEqual([]);
  });

  test('as one text are said to be for no cluster', () => {
    withStdout();
    ['dev', 'prod'].forEach(name => environment(join(process.env.CDK8S_OUTDIR!, name)).synth());
    expect(warnings).toEqual(['"cdk8s synth --stdout" prints the manifests of several apps as one text, which no cluster is to get. Synthesize into a folder to apply them.']);
  });

  test('are no Helm chart', () => {
    withHelm();
    environment(join(process.env.CDK8S_OUTDIR!, 'dev')).synth();
    expect(() => environment(join(process.env.CDK8S_OUTDIR!, 'prod')).synth()).toThrow(
      `app: "${join(process.env.CDK8S_OUTDIR!, 'prod')}" is not the only app of this program, and Helm installs the chart`);
  });
});
