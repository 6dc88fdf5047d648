import { execFile } from 'child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { load } from 'js-yaml';
import { projectOf } from '../src/project';
import { askForMissing } from '../src/questions';
import { settingsOf } from '../src/settings';

let folder: string;
let inputs: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-command-'));
  const { metafile } = buildSync({
    entryPoints: [join(__dirname, '..', '..', 'program', 'src', 'main.ts')], outfile: join(folder, 'program.js'), bundle: true, platform: 'node', target: 'node20', metafile: true,
  });
  inputs = Object.keys(metafile.inputs);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `init` without a terminal. */
function init(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  mkdirSync(join(folder, cwd), { recursive: true });
  return new Promise(resolve => execFile(process.execPath, [join(folder, 'program.js'), 'init', ...args], { cwd: join(folder, cwd) }, (error, stdout, stderr) =>
    resolve({ code: error ? Number(error.code) : 0, stdout, stderr })));
}

test('writes a project where one is, and says what comes next', async () => {
  const { code, stdout, stderr } = await init('first', '--yes', '--domain', 'example.com');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('A project for Steward behind Traefik, with delivery by sync, a Deployment of this library. The first API server is tenant-01.k8s.example.com.');
  expect(stdout).toMatch(/Next:\n {2}npm install\n {2}npm test\n {2}npx tsx main.ts\n/);
  expect(readdirSync(join(folder, 'first')).sort()).toEqual([
    '.github', '.gitignore', 'README.md', 'cdk8s.yaml', 'control-planes.test.ts', 'control-planes.ts', 'main.ts', 'package.json', 'tsconfig.json',
  ]);
});

test('takes all flags without a terminal', async () => {
  const flags = ['--platform', 'kamaji', '--controller', 'kgateway', '--delivery', 'flux', '--language', 'go', '--domain', 'example.com'];
  const { code, stdout } = await init('.', 'new folder', ...flags, '--tenant', 'acme', '--namespace', 'team', '--gateway-class', 'public');
  expect(code).toBe(0);
  expect(stdout).toContain("cd 'new folder'\n  go mod tidy");
  expect(stdout).toContain('team-acme.k8s.example.com');
  expect(readdirSync(join(folder, 'new folder'))).toContain('go.mod');
});

test('without a terminal says which flags are missing, and writes nothing', async () => {
  expect(await init('missing', '--platform', 'kamaji')).toMatchObject({
    code: 2, stdout: '', stderr: 'init: --controller, --delivery, --language, --domain: missing, and there is no terminal to ask at. Give them, or --yes and --domain for the first possible choices\n',
  });
  expect(readdirSync(join(folder, 'missing'))).toEqual([]);
});

test('refuses a folder that is not empty before it asks anything', async () => {
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'taken', 'mine.txt'), '');
  expect(await init('taken')).toMatchObject({ code: 2, stderr: 'init: ".": is not empty ("mine.txt"), and nothing is overwritten: name an empty folder or a new one\n' });
});

test('asks for what no flag said, by name or number, and again when the answer is wrong', async () => {
  const said: string[] = [];
  const asked: string[] = [];
  const replies = ['nonsense', '2', 'kgateway', '', '', 'python', 'https://example.com', 'example.com', '', 'team-a'];
  const answers = await askForMissing({ tenant: 'acme' }, async question => {
    asked.push(question);
    return replies.shift()!;
  }, line => said.push(line));
  expect(answers).toEqual({
    platform: 'kamaji', controller: 'kgateway', delivery: 'sync', gatewayClass: 'kgateway', repoUrl: undefined, language: 'python', domain: 'example.com', tenant: 'acme', namespace: 'tenants',
  });
  expect(said).toEqual(expect.arrayContaining(['"nonsense": is none of them, give a number or a name', expect.stringContaining('is a URL')]));
  expect(said).toContain('   2  kamaji          Kamaji');
  expect(asked.filter(question => question.startsWith('platform'))).toHaveLength(2);
  expect(replies).toEqual(['team-a']);
});

test('asks only for what the platform can', async () => {
  const said: string[] = [];
  await askForMissing({ platform: 'hypershift', domain: 'example.com' }, async () => '', line => said.push(line));
  expect(said.filter(line => /traefik|sync|argocd/.test(line))).toEqual([]);
  expect(said.join('\n')).toContain('shared-gateway');
});

test('the command of the package needs no package beside it, and has no cdk8s', () => {
  expect(inputs.filter(file => /node_modules\/(cdk8s|constructs)/.test(file))).toEqual([]);
});

describe.each(['typescript', 'python', 'go', 'java'])('the files for GitHub of a project in %s', language => {
  const files = projectOf(settingsOf({ domain: 'example.com', language, delivery: 'flux' }));

  test('test and synthesize with actions of fixed digests, and no rights but to read', () => {
    const workflow: any = load(files['.github/workflows/ci.yml']);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const { steps } = workflow.jobs.test;
    expect(steps.filter(({ uses }: { uses?: string }) => uses && !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    expect(steps.filter(({ run }: { run?: string }) => run).length).toBeGreaterThanOrEqual(3);
    for (const version of steps.flatMap((step: { with?: object }) => Object.values(step.with ?? {}))) {
      expect(typeof version).not.toBe('number');
    }
  });

  test('have an update bot for the packages and the actions', () => {
    const { updates }: any = load(files['.github/dependabot.yml']);
    expect(updates.map((update: { [field: string]: string }) => update['package-ecosystem'])).toEqual([
      { typescript: 'npm', python: 'pip', go: 'gomod', java: 'maven' }[language], 'github-actions',
    ]);
  });

  test('are beside a README that says what to commit, and has the doctor read all manifests', () => {
    const lock = { typescript: '; commit `package-lock.json`, which it writes', go: '; commit `go.sum`, which it writes', python: '' }[language];
    expect(files['README.md']).toMatch(lock === undefined ? /^1\. The test: `mvn /m : new RegExp(`^1\\. Once: [^;]*\`${lock}\\. Then \``, 'm'));
    expect(files['README.md']).toContain('`npx cdk8s-hosted-control-plane doctor live --manifests dist --manifests tenants --all`');
  });

  test('cdk8s.yaml is read by cdk8s-cli', () => {
    expect(load(files['cdk8s.yaml'])).toEqual({ language, app: expect.any(String) });
  });
});
