import { execFileSync } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { imageSources, releaseProblems } from '../../scripts/released-image';

const ROOT = join(__dirname, '..', '..');
const DIGEST = `@sha256:${'0'.repeat(64)}`;
const IMAGE = `registry.example.com/tcp-proxy:1.2.0${DIGEST}`;
const SOURCES = { files: ['agent.ts', 'scripts/base.sh'], packages: ['node_modules/pino', 'node_modules/@scope/parser'] };

let repository: string;
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'release-'));
  git('init', '--quiet');
  commit({ 'agent.ts': '1', 'scripts/base.sh': '1', 'README.md': '1', 'package-lock.json': lock({ 'pino': '1.0.0', '@scope/parser': '1.0.0', 'jest': '1.0.0' }) });
});
afterEach(() => rmSync(repository, { recursive: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repository });
}

function commit(files: { [path: string]: string | undefined }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    if (text === undefined) rmSync(join(repository, path));
    else writeFileSync(join(repository, path), text);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message=a');
}

function lock(versions: { [name: string]: string }): string {
  return JSON.stringify({ packages: Object.fromEntries(Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }])) });
}

const problems = (image = IMAGE) => releaseProblems(repository, image, SOURCES);

test('an image that was never released keeps the library back', () => {
  expect(problems()).toEqual([expect.stringContaining('is not released. Push the tag tcp-proxy/v1.2.0')]);
});

test('an image that is as it was released keeps nothing back, whatever else has changed', () => {
  git('tag', 'tcp-proxy/v1.2.0');
  commit({ 'README.md': '2', 'package-lock.json': lock({ 'pino': '1.0.0', '@scope/parser': '1.0.0', 'jest': '2.0.0' }) });
  expect(problems()).toEqual([]);
});

test.each<[string, { [path: string]: string | undefined }, string]>([
  ['a source that changed', { 'agent.ts': '2' }, 'since tcp-proxy/v1.2.0: agent.ts.'],
  ['a source that is gone', { 'scripts/base.sh': undefined }, 'since tcp-proxy/v1.2.0: scripts/base.sh.'],
  ['a package of the agent that moved', { 'package-lock.json': lock({ 'pino': '1.0.0', '@scope/parser': '1.0.1' }) }, 'node_modules/@scope/parser (1.0.0 → 1.0.1)'],
  ['a package of the agent that is gone', { 'package-lock.json': lock({ pino: '1.0.0' }) }, 'node_modules/@scope/parser (1.0.0 → not there)'],
])('%s keeps the library back until the image has a new version', (_, files, reason) => {
  git('tag', 'tcp-proxy/v1.2.0');
  commit(files);
  expect(problems()).toEqual([expect.stringContaining(reason)]);
});

test('an image without its digest keeps the library back', () => {
  git('tag', 'tcp-proxy/v1.2.0');
  expect(problems(IMAGE.replace(DIGEST, ''))).toEqual([expect.stringContaining('names no digest')]);
});

test('the sources of the image are files that exist, and the packages are those of the agent alone', () => {
  const { files, packages } = imageSources(ROOT);
  expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['images/tcp-proxy/src/main.ts', 'images/tcp-proxy/Dockerfile', 'src/agent/contract/paths.ts', 'scripts/lib/debian.sh']));
  expect(packages).toEqual(expect.arrayContaining(['node_modules/pino', 'node_modules/@peculiar/x509']));
  expect(packages).not.toContain('node_modules/cdk8s');
});
