import { spawnSync } from 'child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { built, installNpmPackage } from './support/packages';

/*
 * cdk8s-cli in a project of a user, with the packages as their users get them; test/delivery/cdk8s-cli.test.ts has every option.
 */
const ROOT = join(__dirname, '..', '..');
const CLI = join(ROOT, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');
const PLUGIN = `
exports.Recorder = class {
  async validate({ manifests, metadata, report }) {
    require('fs').writeFileSync('seen.json', JSON.stringify({ manifests: [...manifests].sort(), names: Object.keys(metadata) }));
    report.submit('success');
  }
};
`;
const PYTHON = `
import os

from cdk8s import ApiObject, App, Chart
from cdk8s_hosted_control_plane import (
    ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TenantCharts, TenantDelivery)

app = App()
management = Chart(app, 'management')
by_files = TenantCharts(management, 'by-files', output_folder='../tenants')
by_sync = TenantCharts(management, 'by-sync', delivery=TenantDelivery.sync())
for name in os.environ['TENANTS'].split(','):
    control_plane = IngressExposedControlPlane(
        management, name, namespace='tenants', kubernetes_version='1.34.3', domain='example.com',
        platform=ControlPlanePlatform.kamaji(), controller=IngressController.haproxy())
    tenants = by_sync if name == 'synced' else by_files
    ApiObject(tenants.of(control_plane), 'namespace', api_version='v1', kind='Namespace', metadata={'name': 'of-' + name})
ExposureReport(app, 'report')
app.synth()
`;
const JAVASCRIPT = `
const { ApiObject, App, Chart } = require('cdk8s');
const library = require('cdk8s-hosted-control-plane');
const { ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TenantCharts, TenantDelivery } = library;

const app = new App();
const management = new Chart(app, 'management');
const byFiles = new TenantCharts(management, 'by-files', { outputFolder: '../tenants' });
const bySync = new TenantCharts(management, 'by-sync', { delivery: TenantDelivery.sync() });
for (const name of process.env.TENANTS.split(',')) {
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', platform: ControlPlanePlatform.kamaji(), controller: IngressController.haproxy(),
  });
  const tenants = name === 'synced' ? bySync : byFiles;
  new ApiObject(tenants.of(controlPlane), 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'of-' + name } });
}
new ExposureReport(app, 'report');
app.synth();
`;

let folder: string;
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'cdk8s-cli-')); });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each<[string, string, (project: string) => string]>([
  ['Python, from the wheel', 'python', project => {
    writeFileSync(join(project, 'main.py'), PYTHON);
    return `${built('PYTHON')} main.py`;
  }],
  ['JavaScript, from the npm package', 'typescript', project => {
    installNpmPackage(project);
    writeFileSync(join(project, 'main.cjs'), JAVASCRIPT);
    return `${process.execPath} main.cjs`;
  }],
])('cdk8s synth with cdk8s.yaml in %s', (_, language, write) => {
  let project: string;
  let temporary: string;
  beforeAll(() => {
    project = join(folder, language);
    temporary = join(folder, `${language}-temporary`);
    [project, temporary].forEach(made => mkdirSync(made));
    writeFileSync(join(project, 'recorder.cjs'), PLUGIN);
    writeFileSync(join(project, 'cdk8s.yaml'), [
      `language: ${language}`, `app: ${write(project)}`, 'validations:', '  - package: ./recorder.cjs', '    class: Recorder', '    version: 1.0.0',
    ].join('\n'));
  });

  function cdk8s(tenants: string, ...args: string[]): { stdout: string; stderr: string } {
    const result = spawnSync(process.execPath, [CLI, 'synth', ...args], {
      cwd: project, encoding: 'utf8', env: { ...process.env, CDK8S_CHECK_UPGRADE: 'false', TENANTS: tenants, TMPDIR: temporary },
    });
    expect({ status: result.status, stderr: result.status === 0 ? '' : result.stderr }).toEqual({ status: 0, stderr: '' });
    return result;
  }

  const written = () => ['dist', 'tenants'].flatMap(name => readdirSync(join(project, name), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.endsWith('/report')).map(({ parentPath, name: file }) => join(parentPath, file).slice(project.length + 1))).sort();

  test('writes the tenants where they belong, and removes one that was taken out', () => {
    const { stderr } = cdk8s('one,two,synced');
    const management = ['dist/construct-metadata.json', 'dist/management.k8s.yaml'];
    const tenant = (name: string) => [`tenants/tenants-${name}/.cdk8s-hosted-control-plane`, `tenants/tenants-${name}/${name}.k8s.yaml`];
    expect(written()).toEqual([...management, ...tenant('one'), ...tenant('two')]);
    expect(stderr).toContain('the plugins under "validations" of cdk8s.yaml do not see the manifests of tenants');
    const seen = JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'));
    expect(seen.manifests).toEqual(['dist/management.k8s.yaml']);
    expect(seen.names).toEqual(expect.arrayContaining(['of-one', 'tenants.synced']));
    cdk8s('two,synced');
    expect(written()).toEqual([...management, ...tenant('two')]);
  });

  test('prints what goes to the management cluster, and writes nothing', () => {
    ['dist', 'tenants'].forEach(name => rmSync(join(project, name), { recursive: true, force: true }));
    const { stdout, stderr } = cdk8s('one,synced', '--stdout', '--no-validate');
    expect(stdout).toContain('name: of-synced');
    expect(stdout).not.toContain('of-one');
    expect(stderr).toContain('prints the manifests of one cluster, so those of tenants are left out');
    expect(readdirSync(project).filter(name => ['dist', 'tenants'].includes(name))).toEqual([]);
    expect(readdirSync(temporary).filter(name => /^cdk8s-|tenants|report/.test(name))).toEqual([]);
  });
});
