import { execFileSync } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, join } from 'path';
import { built, installNpmPackage } from './support/packages';

const ROOT = join(__dirname, '..', '..');
const VERSIONS = ['31', '32', '33', '34'];

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'newer-plus-'));
  installNpmPackage(project);
  for (const version of VERSIONS) {
    symlinkSync(join(built('NEWER_PLUS'), 'npm', 'node_modules', `cdk8s-plus-${version}`), join(project, 'node_modules', `cdk8s-plus-${version}`));
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Kinds of what a program writes into the chart `management`. */
function kindsWritten(run: (env: NodeJS.ProcessEnv) => void): string[] {
  const outdir = mkdtempSync(join(project, 'dist-'));
  run({ ...process.env, CDK8S_OUTDIR: outdir });
  return readdirSync(outdir).flatMap(file => [...readFileSync(join(outdir, file), 'utf8').matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind)).sort();
}

const typescript = (version: string) => `
import { App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-${version}';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane } from 'cdk8s-hosted-control-plane';

const app = new App();
const management = new Chart(app, 'management');
const namespace = new kplus.Namespace(management, 'namespace', { metadata: { name: 'tenants' } });
const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
  namespace: namespace.name, kubernetesVersion: '1.34.3', domain: 'example.com',
  platform: ControlPlanePlatform.kamaji(), controller: IngressController.haproxy(),
});
new kplus.ConfigMap(management, 'hosts', { metadata: { namespace: namespace.name }, data: { host: controlPlane.exposure.api.host } });
app.synth();
`;

const python = (version: string) => `
from cdk8s import ApiObjectMetadata, App, Chart
import cdk8s_plus_${version} as kplus
from cdk8s_hosted_control_plane import ControlPlanePlatform, IngressController, IngressExposedControlPlane

app = App()
management = Chart(app, 'management')
namespace = kplus.Namespace(management, 'namespace', metadata=ApiObjectMetadata(name='tenants'))
control_plane = IngressExposedControlPlane(
    management, 'tenant-01', namespace=namespace.name, kubernetes_version='1.34.3', domain='example.com',
    platform=ControlPlanePlatform.kamaji(), controller=IngressController.haproxy())
kplus.ConfigMap(management, 'hosts', metadata=ApiObjectMetadata(namespace='tenants'), data={'host': control_plane.exposure.api.host})
app.synth()
`;

describe.each(VERSIONS)('cdk8s-plus-%s beside this library, in one chart', version => {
  test('in TypeScript: compiles, and both write their objects', () => {
    const file = `main-${version}.ts`;
    writeFileSync(join(project, file), typescript(version));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { strict: true, preserveSymlinks: true, module: 'node16', target: 'es2022', types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] },
      files: [file],
    }));
    execFileSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '--project', project], { stdio: ['ignore', 'inherit', 'inherit'] });
    expect(kindsWritten(env => execFileSync(process.execPath, ['--preserve-symlinks', join(project, `main-${version}.js`)], { env })))
      .toEqual(['ConfigMap', 'Ingress', 'Namespace', 'TenantControlPlane']);
  });

  test('in Python: both write their objects', () => {
    expect(kindsWritten(env => execFileSync(built('PYTHON'), ['-c', python(version)], {
      env: { ...env, PYTHONPATH: [built('PYTHONPATH'), join(built('NEWER_PLUS'), 'python')].join(delimiter) },
    }))).toEqual(['ConfigMap', 'Ingress', 'Namespace', 'TenantControlPlane']);
  });
});
