import { execFileSync } from 'child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { installNpmPackage } from './support/packages';
import { packedReadme } from '../../scripts/packed-readme';
import * as source from '../../src';

const ROOT = join(__dirname, '..', '..');

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'npm-package-'));
  installNpmPackage(project);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** What a program that uses the package prints as JSON. */
function run(program: string, file = 'program.cjs'): unknown {
  writeFileSync(join(project, file), program);
  return JSON.parse(execFileSync(process.execPath, [join(project, file)], { encoding: 'utf8' }));
}

test('the npm package has a README.md for registries: whole addresses, and pictures in place of Mermaid', () => {
  const readme = readFileSync(join(project, 'node_modules', 'cdk8s-hosted-control-plane', 'README.md'), 'utf8');
  expect(readme).toBe(packedReadme(readFileSync(join(ROOT, 'README.md'), 'utf8'), 'main'));
  const { readme: ofOtherLanguages } = JSON.parse(readFileSync(join(ROOT, '.jsii'), 'utf8'));
  expect(ofOtherLanguages.markdown.trimEnd()).toBe(readme.trimEnd());
});

test('the npm package exports what the source exports', () => {
  expect(run('console.log(JSON.stringify(Object.keys(require("cdk8s-hosted-control-plane")).sort()));')).toEqual(Object.keys(source).sort());
});

test('the npm package loads nothing but its index before an export is used', () => {
  expect(run(`
    require('cdk8s-hosted-control-plane');
    console.log(JSON.stringify(Object.keys(require.cache).length));
  `)).toBe(2);
});

// Modules that import each other could depend on which of them is loaded first.
test('every export of the npm package can be the first one used', () => {
  const types = run(`
    const types = {};
    for (const name of Object.keys(require('cdk8s-hosted-control-plane'))) {
      for (const file of Object.keys(require.cache).filter(each => each.includes('/cdk8s-hosted-control-plane/'))) {
        delete require.cache[file];
      }
      types[name] = typeof require('cdk8s-hosted-control-plane')[name];
    }
    console.log(JSON.stringify(types));
  `);
  expect(types).toEqual(Object.fromEntries(Object.entries(source).map(([name, value]) => [name, typeof value])));
});

test('an export of the npm package is one value, however it is reached', () => {
  expect(run(`
    const library = require('cdk8s-hosted-control-plane');
    const { Endpoint } = library;
    const { ControlPlanePlatform } = require('cdk8s-hosted-control-plane/lib/platforms/control-plane-platform');
    console.log(JSON.stringify([library.Endpoint === Endpoint, ControlPlanePlatform === library.ControlPlanePlatform]));
  `)).toEqual([true, true]);
});

test('names can be imported from the npm package in an ECMAScript module', () => {
  expect(run(`
    import { ControlPlanePlatform, TcpProxyAddon } from 'cdk8s-hosted-control-plane';
    console.log(JSON.stringify([ControlPlanePlatform.name, TcpProxyAddon.name]));
  `, 'program.mjs')).toEqual(['ControlPlanePlatform', 'TcpProxyAddon']);
});

test('an example compiles with the types of the npm package', () => {
  copyFileSync(join(ROOT, 'examples', 'kamaji-haproxy', 'main.ts'), join(project, 'main.ts'));
  const options = {
    noEmit: true, strict: true, module: 'node16', target: 'es2022', types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '--project', project], { stdio: ['ignore', 'inherit', 'inherit'] });
});

test('the npm package has no dependencies, and brings the licenses of what is bundled', () => {
  const folder = join(project, 'node_modules', 'cdk8s-hosted-control-plane');
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
  expect(readFileSync(join(folder, 'lib', 'bin', 'LICENSES.txt'), 'utf8')).toMatch(/^commander .*MIT.*js-yaml .*MIT/s);
});
