import { spawnSync } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { MARK } from '../../src/delivery/folder-mark';

/*
 * The real cdk8s-cli, in a project of a user. What it gives to validation plugins is recorded by one.
 */
const ROOT = join(__dirname, '..', '..');
const CLI = join(ROOT, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');
const PLUGIN = `
exports.Recorder = class {
  async validate({ manifests, metadata, report, stdout }) {
    require('fs').writeFileSync('seen.json', JSON.stringify({ manifests: [...manifests].sort(), metadata, stdout }));
    report.submit('success');
  }
};
`;
const GIVEN = ['main.cjs', 'environments.cjs', 'recorder.cjs', 'cdk8s.yaml'];

jest.setTimeout(120_000);

let folder: string;
let project: string;
let temporary: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cdk8s-cli-'));
  project = join(folder, 'project');
  temporary = join(folder, 'temporary');
  mkdirSync(project);
  mkdirSync(temporary);
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  buildSync({
    entryPoints: { main: join(__dirname, 'cdk8s-cli-app.ts'), environments: join(ROOT, 'examples', 'environments', 'main.ts') },
    outdir: project,
    outExtension: { '.js': '.cjs' },
    alias: { 'cdk8s-hosted-control-plane': join(ROOT, 'src', 'index.ts') },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['cdk8s', 'cdk8s-plus-30', 'constructs'],
  });
  writeFileSync(join(project, 'recorder.cjs'), PLUGIN);
  writeFileSync(join(project, 'cdk8s.yaml'), [
    'language: typescript', 'app: node main.cjs', 'validations:', '  - package: ./recorder.cjs', '    class: Recorder', '    version: 1.0.0',
  ].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of readdirSync(project).filter(file => file !== 'node_modules' && !GIVEN.includes(file))) {
    rmSync(join(project, name), { recursive: true });
  }
});

interface Result {
  readonly stdout: string;
  readonly stderr: string;
}

function cdk8s(args: string[], env: { [name: string]: string } = {}, status = 0): Result {
  const result = spawnSync(process.execPath, [CLI, 'synth', ...args], {
    cwd: project, encoding: 'utf8', env: { ...process.env, CDK8S_CHECK_UPGRADE: 'false', TMPDIR: temporary, ...env },
  });
  expect({ status: result.status, stderr: result.status === status ? '' : result.stderr }).toEqual({ status, stderr: '' });
  return result;
}

/** What a run left in the project; the folder of a report stands for its files. */
function files(under = '.'): string[] {
  return [...new Set(allFiles(under).map(file => file.replace(/\breport\/.*$/, 'report')))];
}

function allFiles(under = '.'): string[] {
  return readdirSync(join(project, under), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && ![...GIVEN, 'seen.json'].includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(project.length + 1)).sort();
}

function contents(): string[] {
  return allFiles().map(file => `${file}\n${readFileSync(join(project, file), 'utf8')}`);
}

function seen(): any {
  return JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'));
}

const tenant = (path: string) => [`${path}/${MARK}`, `${path}/${path.split('tenants-')[1]}.k8s.yaml`];

test('cdk8s synth writes the tenants into the output folder, and nothing else; plugins see them', () => {
  cdk8s([]);
  expect(files()).toEqual([
    'dist/construct-metadata.json', 'dist/management.k8s.yaml', 'dist/report',
    ...['argo', 'flux', 'manifests'].flatMap(name => tenant(`dist/tenants-${name}`)),
  ]);
  const { manifests, metadata } = seen();
  expect(manifests).toEqual(['dist/management.k8s.yaml', ...['argo', 'flux', 'manifests'].map(name => `dist/tenants-${name}/${name}.k8s.yaml`)]);
  expect(metadata['of-flux']).toEqual({ path: 'flux/of-flux' });
  expect(metadata['tenants.sync']).toEqual({ path: 'management/sync/tenants.sync/part-1' });
  // Each tenant has one.
  expect(metadata['in-each-tenant']).toEqual({});
});

test('cdk8s synth -o gives the same a second time, and leaves out a tenant that was taken out', () => {
  const args = ['-o', 'out'];
  cdk8s(args);
  const first = contents();
  cdk8s(args);
  expect(contents()).toEqual(first);
  cdk8s(args, { TENANTS: 'flux,sync' });
  expect(files('out').filter(file => file.includes('tenants-'))).toEqual(tenant('out/tenants-flux'));
});

test('cdk8s synth with tenants beside the output folder removes the folder of a tenant that was taken out, and says what plugins do not see', () => {
  const env = { OUTPUT_FOLDER: '../tenants' };
  const { stderr } = cdk8s([], env);
  expect(stderr).toContain('management/argo, management/flux, management/manifests: outputFolder: "../tenants" is outside of the output folder, so the plugins under ' +
    '"validations" of cdk8s.yaml do not see the manifests of tenants. Use one inside, e.g. "tenants".');
  expect(seen().manifests).toEqual(['dist/management.k8s.yaml']);
  const first = contents();
  expect(files('tenants')).toEqual(['argo', 'flux', 'manifests'].flatMap(name => tenant(`tenants/tenants-${name}`)));
  expect(cdk8s(['--no-validate'], env).stderr).not.toContain('outputFolder');
  expect(contents()).toEqual(first.filter(file => !file.startsWith('dist/construct-metadata.json')));
  cdk8s([], { ...env, GREETING: 'changed' });
  expect(readFileSync(join(project, 'tenants/tenants-flux/flux.k8s.yaml'), 'utf8')).toContain('changed');
});

test.each(['', 'tenants', '../tenants'])('cdk8s synth --stdout prints what goes to the management cluster, and writes nothing: outputFolder "%s"', OUTPUT_FOLDER => {
  const { stdout, stderr } = cdk8s(['--stdout', '--no-validate'], { OUTPUT_FOLDER, REPORT: '../report' });
  expect(stdout).toContain('kind: KamajiControlPlane');
  expect(stdout.match(/^kind: ConfigMap$/gm)).toHaveLength(2);
  expect(stdout).toContain('name: tenants.sync');
  expect(stdout).not.toMatch(/^ {2}name: of-/m);
  expect(stderr).toContain('delivery: "cdk8s synth --stdout" prints the manifests of one cluster, so those of tenants are left out. Synthesize into a folder for them.');
  expect([files(), readdirSync(temporary)]).toEqual([[], []]);
});

test('cdk8s synth --stdout gives plugins what it prints', () => {
  cdk8s(['--stdout']);
  const { manifests, stdout } = seen();
  expect([manifests, stdout]).toEqual([[expect.stringMatching(/\/cdk8s-\w{6}\/management\.k8s\.yaml$/)], true]);
  expect(files()).toEqual([]);
});

describe('cdk8s synth --format helm', () => {
  const ARGS = ['--format', 'helm', '--chart-version', '1.0.0', '--chart-api-version', 'v2', '-o', 'chart'];

  test('is refused with manifests of tenants among the templates', () => {
    const { stderr } = cdk8s(ARGS, {}, 1);
    for (const name of ['manifests', 'flux', 'argo']) {
      expect(stderr).toContain(`[management/${name}] outputFolder: "" is in the templates of the Helm chart that "cdk8s synth --format helm" writes, and Helm installs all of them ` +
        'into one cluster. Lead out of it, e.g. "../../tenants" for a folder beside the chart, or deliver with TenantDelivery.sync().');
    }
    expect(stderr).not.toContain('[management/sync]');
  });

  test('writes a chart with what goes to the management cluster, and nothing else among the templates', () => {
    cdk8s(ARGS, { OUTPUT_FOLDER: '../../tenants' });
    expect(files()).toEqual([
      'chart/Chart.yaml', 'chart/README.md', 'chart/report', 'chart/templates/construct-metadata.json', 'chart/templates/management.k8s.yaml',
      ...['argo', 'flux', 'manifests'].flatMap(name => tenant(`tenants/tenants-${name}`)),
    ]);
    expect(seen().manifests).toEqual(['chart/templates/management.k8s.yaml']);
  });

  test('is refused where Helm would take the objects of a tenant for templates', () => {
    const { stderr } = cdk8s(ARGS, { TENANTS: 'sync,set', GREETING: '{{ .Values.a }}' }, 1);
    for (const name of ['sync', 'set']) {
      expect(stderr).toContain(`[management/${name}] tenants-${name}: "ConfigMap default/in-each-tenant" has "{{", which Helm takes for its own in the chart that ` +
        '"cdk8s synth --format helm" writes. Leave the object out, or synthesize without --format helm.');
    }
  });
});

test('a folder that only looks like that of --stdout is one like any other', () => {
  cdk8s(['-o', join(temporary, 'cdk8s-Abc123'), '--no-validate']);
  expect(existsSync(join(temporary, 'cdk8s-Abc123', 'tenants-flux', 'flux.k8s.yaml'))).toBe(true);
});

describe('the example environments', () => {
  const ARGS = ['--app', 'node environments.cjs'];
  const ENVIRONMENTS = ['dev', 'prod', 'stage'];
  const FILES = ['construct-metadata.json', 'management.k8s.yaml', 'report'];

  test('gives a folder for each environment, of which plugins see everything', () => {
    const { stderr } = cdk8s([...ARGS, '-o', 'out']);
    expect(files()).toEqual(ENVIRONMENTS.flatMap(name => FILES.map(file => `out/${name}/${file}`)));
    expect(seen().manifests).toEqual(ENVIRONMENTS.map(name => `out/${name}/management.k8s.yaml`));
    expect(stderr).not.toContain('Warning');
  });

  test('gives one alone for each way to use it, the same as among all', () => {
    cdk8s([...ARGS, '--no-validate']);
    const prod = readFileSync(join(project, 'dist/prod/management.k8s.yaml'), 'utf8');
    const { stdout, stderr } = cdk8s([...ARGS, '--no-validate', '--stdout'], { ENVIRONMENT: 'prod' });
    expect([stdout, stderr]).toEqual([prod, '']);
    cdk8s([...ARGS, '--no-validate', '--format', 'helm', '--chart-version', '1.0.0', '-o', 'chart'], { ENVIRONMENT: 'prod' });
    expect(files('chart')).toEqual(['chart/Chart.yaml', 'chart/README.md', 'chart/report', 'chart/templates/management.k8s.yaml']);
    expect(readFileSync(join(project, 'chart/templates/management.k8s.yaml'), 'utf8')).toBe(prod);
  });

  test('does not print all of them as if they were for one cluster, nor one that there is not', () => {
    expect(cdk8s([...ARGS, '--stdout', '--no-validate']).stderr).toContain('prints the manifests of several apps as one text, which no cluster is to get');
    expect(cdk8s(ARGS, { ENVIRONMENT: 'production' }, 1).stderr).toContain('ENVIRONMENT: "production" is none of dev, stage, prod');
  });
});
