import { execFileSync } from 'child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { built, installNpmPackage } from './support/packages';

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'kamaji-haproxy');

let folder: string;
let expected: { [file: string]: string };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
  expected = synthesize('typescript', () => jest.requireActual(join(EXAMPLE, 'main')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Files and their contents that an app writes. */
function synthesize(language: string, run: (project: string) => void): { [file: string]: string } {
  const project = join(folder, language);
  const outdir = join(project, 'dist');
  mkdirSync(project);
  process.env.CDK8S_OUTDIR = outdir;
  run(project);
  delete process.env.CDK8S_OUTDIR;
  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.yaml')).sort();
  return Object.fromEntries(files.map(file => [file, readFileSync(join(outdir, file), 'utf8')]));
}

/** Runs a program. What jest's `process.env` holds does not reach it by itself. */
function execute(program: string, ...args: string[]): void {
  execFileSync(program, args, { env: process.env });
}

test('the example gives the manifests of a management and a tenant cluster', () => {
  expect(Object.keys(expected)).toEqual(['management.k8s.yaml', 'team-a-tenant-00/tenant-00.k8s.yaml']);
});

test.each<[string, (project: string) => void]>([
  ['JavaScript, from the npm package', project => {
    installNpmPackage(project);
    const program = join(project, 'main.cjs');
    buildSync({ entryPoints: [join(EXAMPLE, 'main.ts')], outfile: program, format: 'cjs', platform: 'node' });
    execute(process.execPath, program);
  }],
  ['Python, from the wheel', () => execute(built('PYTHON'), join(EXAMPLE, 'python', 'main.py'))],
  ['Go, from the module', () => execute(built('GO_APP'))],
])('its manifests are the same to the byte in %s', (language, run) => {
  expect(synthesize(language, run)).toEqual(expected);
});

const TENANTS_IN_PYTHON = `
from cdk8s import ApiObject, App, Chart
from cdk8s_hosted_control_plane import (
    ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TenantCharts)

app = App()
management = Chart(app, 'management')
control_plane = IngressExposedControlPlane(
    management, 'tenant-01', namespace='tenants', kubernetes_version='1.34.3', domain='example.com',
    platform=ControlPlanePlatform.kamaji(), controller=IngressController.haproxy())
tenant = TenantCharts(management, 'tenants').of(control_plane)
ApiObject(tenant, 'namespace', api_version='v1', kind='Namespace')
ExposureReport(app, 'report')
app.synth()
`;

test('what is written beside the manifests is written in other languages too', () => {
  const outdir = join(folder, 'beside');
  process.env.CDK8S_OUTDIR = outdir;
  execute(built('PYTHON'), '-c', TENANTS_IN_PYTHON);
  delete process.env.CDK8S_OUTDIR;
  expect(readdirSync(outdir, { recursive: true }).sort()).toEqual([
    'management.k8s.yaml', 'report', 'report/exposure-report-images.txt', 'report/exposure-report.json', 'report/exposure-report.md', 'tenants-tenant-01',
    'tenants-tenant-01/.cdk8s-hosted-control-plane', 'tenants-tenant-01/tenant-01.k8s.yaml',
  ]);
});
