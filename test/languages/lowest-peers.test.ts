import { execFileSync } from 'child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { built, installNpmPackage } from './support/packages';

/*
 * The lowest versions that package.json allows of what the package goes with: a user who has these gets what one with the newest gets.
 */
const ROOT = join(__dirname, '..', '..');
const EXAMPLES = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lowest-peers-'));
  for (const [name, peers] of [['lowest', built('LOWEST_PEERS')], ['present', ROOT]]) {
    const project = join(folder, name);
    installNpmPackage(project, peers);
    for (const example of EXAMPLES) {
      cpSync(join(ROOT, 'examples', example, 'main.ts'), join(project, example, 'main.ts'));
    }
    // What TypeScript follows a link to has its own packages beside it.
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({
      compilerOptions: {
        strict: true, preserveSymlinks: true, skipLibCheck: false, module: 'node16', target: 'es2022', types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], outDir: 'out',
      },
      include: ['*/main.ts'],
    }));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('are those that package.json names', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [name, range] of Object.entries<string>(peerDependencies)) {
    const { version } = JSON.parse(readFileSync(join(folder, 'lowest', 'node_modules', name, 'package.json'), 'utf8'));
    expect(range).toBe(`^${version}`);
  }
});

test.each(['lowest', 'present'])('with the %s ones every example compiles, and so do the types of the package', name => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '--project', join(folder, name)], { stdio: ['ignore', 'inherit', 'inherit'] });
});

test.each(EXAMPLES)('the example %s writes the same with the lowest and the present ones', example => {
  const [lowest, present] = ['lowest', 'present'].map(name => {
    const outdir = join(folder, name, 'dist', example);
    mkdirSync(outdir, { recursive: true });
    execFileSync(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', join(folder, name, 'out', example, 'main.js')], {
      cwd: join(folder, name), env: { ...process.env, CDK8S_OUTDIR: outdir }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    return Object.fromEntries(readdirSync(outdir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file)).map(path => [path.slice(outdir.length + 1), readFileSync(path, 'utf8')]));
  });
  expect(Object.keys(present).length).toBeGreaterThan(0);
  expect(lowest).toEqual(present);
});
