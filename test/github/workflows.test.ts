import { spawnSync } from 'child_process';
import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { load } from 'js-yaml';
import { DEFAULT_TCP_PROXY_IMAGE } from '../../src/agent/image';

const ROOT = join(__dirname, '..', '..');
const WORKFLOWS = join(ROOT, '.github', 'workflows');

interface Step {
  readonly 'uses'?: string;
  readonly 'run'?: string;
  readonly 'if'?: string;
  readonly 'with'?: { [name: string]: unknown };
  readonly 'env'?: { [name: string]: string };
  readonly 'working-directory'?: string;
}

interface Workflow {
  readonly on: object;
  readonly permissions?: object;
  readonly jobs: { [name: string]: { readonly steps: Step[]; readonly permissions?: { [scope: string]: string }; readonly if?: string } };
}

function workflow(file: string): Workflow {
  return load(readFileSync(join(WORKFLOWS, file), 'utf8')) as Workflow;
}

function stepsOf(file: string): Step[] {
  return Object.values(workflow(file).jobs).flatMap(job => job.steps);
}

describe.each(readdirSync(WORKFLOWS))('the workflow %s', file => {
  test('uses every action by its commit, as a branch or a tag can be moved', () => {
    const actions = stepsOf(file).flatMap(step => step.uses ?? []);
    expect(actions.filter(action => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test('gives each job the permissions that it names, not those of the repository', () => {
    const { jobs, permissions } = workflow(file);
    expect(Object.keys(jobs).filter(job => !(jobs[job].permissions ?? permissions))).toEqual([]);
  });

  test('runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const tasks = JSON.parse(readFileSync(join(ROOT, '.projen', 'tasks.json'), 'utf8')).tasks;
    for (const { run = '', 'working-directory': folder } of stepsOf(file)) {
      const [, script] = /^npm run ([\w:]+)$/.exec(run) ?? [];
      const [, task] = folder ? [] : /npx projen ([\w:]+)$/.exec(run) ?? [];
      expect(Object.keys(scripts)).toContain(script ?? 'build');
      expect(Object.keys(tasks)).toContain(task ?? 'build');
    }
  });
});

/** Where actions are named by hand, with the release that a commit is of behind it. */
const BY_HAND = ['.github/workflows/image.yml', '.github/workflows/integration.yml', 'docs/doctor.md', 'init/src/files/actions.ts', '.projenrc.ts'];

test.each(BY_HAND)('%s says of each action of which release its commit is', file => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').filter(line => /uses: [\w-]+\/|[0-9a-f]{40}|@v\d/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter(line => !/\b[0-9a-f]{40}\b.*(#|\/\/) v\d+\.\d+\.\d+/.test(line) && !line.includes('download-artifact@'))).toEqual([]);
});

test('an action has one commit, wherever it is named', () => {
  const commits = new Map<string, Set<string>>();
  for (const file of [...BY_HAND, ...readdirSync(WORKFLOWS).map(name => `.github/workflows/${name}`)]) {
    for (const [, action, commit] of readFileSync(join(ROOT, file), 'utf8').matchAll(/([\w-]+\/[\w-]+)(?:@|': ')([0-9a-f]{40})/g)) {
      commits.set(action, (commits.get(action) ?? new Set()).add(commit));
    }
  }
  expect(commits.size).toBeGreaterThan(10);
  expect([...commits].filter(([, each]) => each.size > 1)).toEqual([]);
});

describe('the workflow that publishes the image', () => {
  const steps = stepsOf('image.yml');
  const { image, publish } = workflow('image.yml').jobs;
  const using = (action: string) => steps.find(step => step.uses?.startsWith(`${action}@`));

  test('publishes on a tag alone', () => {
    expect(workflow('image.yml').on).toMatchObject({ push: { tags: ['tcp-proxy/v*'] } });
    expect(using('docker/build-push-action')?.with?.outputs).toMatch(/,push=\$\{\{ env\.PUBLISH \}\}$/);
    const built = steps.findIndex(step => step.uses?.startsWith('docker/build-push-action@'));
    expect(image.steps.slice(built + 1).filter(step => step.if !== "env.PUBLISH == 'true'")).toEqual([]);
    expect(using('docker/login-action')?.if).toBe("env.PUBLISH == 'true'");
    expect(publish.if).toBe("github.event_name == 'push'");
  });

  test('gives its tag to nothing but the digest that was built, tested and signed, in this order', () => {
    const digest = '${{ steps.build.outputs.digest }}';
    const built = '${{ needs.image.outputs.digest }}';
    expect(workflow('image.yml').jobs.image).toMatchObject({ outputs: { digest } });
    expect(publish).toMatchObject({ needs: 'image' });
    expect(using('docker/build-push-action')?.with).not.toHaveProperty('tags');
    expect(using('docker/build-push-action')?.with?.outputs).toContain('push-by-digest=true');
    const order = [
      steps.findIndex(step => step.uses?.startsWith('docker/build-push-action@')),
      steps.findIndex(step => step.run?.includes('docker export') && step.env?.IMAGE?.endsWith(`@${digest}`)),
      steps.findIndex(step => step.run === 'npm run test:e2e' && step.env?.TCP_PROXY_IMAGE_ROOT === '${{ runner.temp }}/root'),
      steps.findIndex(step => step.run?.startsWith('cosign sign') && step.env?.IMAGE?.endsWith(`@${built}`)),
      steps.findIndex(step => step.run?.includes('imagetools create --tag "$NAME:$VERSION" "$NAME@$DIGEST"') && step.env?.DIGEST === built),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('lets nothing that dependencies run have the identity that signs, or a token that pushes', () => {
    expect(image.permissions).toEqual({ contents: 'read', packages: 'write' });
    expect(publish.steps.flatMap(step => step.run ?? []).filter(run => /\bnpm|\bnpx|\bnode\b/.test(run))).toEqual([]);
    const login = image.steps.findIndex(step => step.uses?.startsWith('docker/login-action@'));
    expect(image.steps.slice(0, login).map(step => step.run)).toContain('npm ci');
    for (const { uses = '', with: inputs } of steps.filter(step => step.uses?.startsWith('actions/checkout@'))) {
      expect([uses, inputs]).toEqual([uses, expect.objectContaining({ 'persist-credentials': false })]);
    }
  });

  test('publishes commits of main alone, and no version twice', () => {
    expect(steps.find(step => step.run?.includes('is-ancestor HEAD origin/main'))).toBeDefined();
    expect(steps.find(step => step.run?.includes('imagetools create'))?.run).toMatch(/^if docker buildx imagetools inspect "\$NAME:\$VERSION"/);
  });

  test('reads the name of the image where the library has it', () => {
    const script = steps.find(step => step.run?.includes('src/agent/image.ts'))?.run ?? '';
    const [, pattern] = /sed -n "s\/(.*)\/\\1\/p"/.exec(script) ?? [];
    const line = new RegExp(pattern.replace(/\\([()])/g, '$1').replace('\\$', '$'), 'm');
    expect(line.exec(readFileSync(join(ROOT, 'src/agent/image.ts'), 'utf8'))?.[1]).toBe(DEFAULT_TCP_PROXY_IMAGE);
    // A digest is known only after the image was published.
    expect(script).toContain('image=${image%@*}\n');
  });

  test('adds an SBOM and provenance, for both architectures', () => {
    expect(using('docker/build-push-action')?.with).toMatchObject({
      sbom: true, provenance: 'mode=max', platforms: 'linux/amd64,linux/arm64', file: 'images/tcp-proxy/Dockerfile',
    });
  });

  test('runs when something changes that the agent is bundled of', () => {
    const { metafile } = buildSync({
      absWorkingDir: ROOT, entryPoints: ['images/tcp-proxy/src/main.ts'], bundle: true, platform: 'node', write: false, metafile: true,
    });
    const { pull_request: { paths } } = workflow('image.yml').on as { pull_request: { paths: string[] } };
    const folders = paths.filter(path => path.endsWith('/**')).map(path => path.slice(0, -'**'.length));
    const ours = Object.keys(metafile.inputs).filter(file => !file.includes('node_modules/'));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter(file => !folders.some(folder => file.startsWith(folder)))).toEqual([]);
  });
});

test('the workflow that publishes the library holds it against the released image before it builds', () => {
  const steps = stepsOf('release.yml');
  const check = steps.findIndex(step => step.run?.endsWith('scripts/released-image.ts'));
  expect(check).toBeGreaterThan(steps.findIndex(step => step.run === 'npm ci'));
  expect(check).toBeLessThan(steps.findIndex(step => step.run === 'npx projen release'));
});

describe('the job that publishes the Helm charts', () => {
  const steps = (workflow('release.yml').jobs as { release_charts: { steps: Step[] } }).release_charts.steps;
  const running = (text: string) => steps.find(({ run }) => run?.includes(text));

  test('makes and packages them in a dry run too, and publishes and signs in no dry run', () => {
    expect(running('npm run charts')).toMatchObject({ run: expect.stringContaining('helm package') });
    expect(running('npm run charts')?.if).toBeUndefined();
    expect(running('helm push')).toMatchObject({ if: '${{ !inputs.dry_run }}', run: expect.stringContaining('cosign sign --yes') });
  });

  test('gives them the version of the release', () => {
    expect(running('npm run charts')?.run).toContain('--version "$(cat dist/version.txt)"');
    expect(steps.findIndex(({ uses }) => uses?.startsWith('actions/download-artifact@'))).toBeLessThan(steps.indexOf(running('npm run charts')!));
  });

  test('signs the digest that it has pushed, which the output of helm names', () => {
    const script = running('helm push')!.run!;
    const output = 'Pushed: registry.example.com/charts/tcp-proxy:0.1.0\nDigest: sha256:abc\n';
    const [reference, digest] = [...script.matchAll(/sed -n "(s\/\^(?:Pushed|Digest): [^"]*)"/g)].map(([, program]) =>
      spawnSync('sed', ['-n', program], { input: output, encoding: 'utf8' }).stdout.trim());
    expect([reference, digest]).toEqual(['registry.example.com/charts/tcp-proxy:0.1.0', 'sha256:abc']);
    expect(script).toContain('cosign sign --yes "${reference%:*}@');
  });
});

test('the update bot watches folders that exist', () => {
  const { updates } = load(readFileSync(join(ROOT, '.github', 'dependabot.yml'), 'utf8')) as
    { updates: { 'directory'?: string; 'directories'?: string[]; 'package-ecosystem': string }[] };
  const manifest: { [ecosystem: string]: string } = { npm: 'package.json', docker: 'Dockerfile', gomod: 'go.mod' };
  for (const { directory, directories = [directory!], 'package-ecosystem': ecosystem } of updates) {
    for (const folder of directories) {
      expect([folder, existsSync(join(ROOT, folder, manifest[ecosystem] ?? '.github'))]).toEqual([folder, true]);
    }
  }
});

test('the license is that of the package', () => {
  const { license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(license).toBe('Apache-2.0');
  expect(readFileSync(join(ROOT, 'LICENSE'), 'utf8')).toMatch(/Apache License\s+Version 2\.0/);
});
