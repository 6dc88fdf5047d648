import { createRequire } from 'module';
import { Testing } from 'cdk8s';
import { transpileModule, ModuleKind, ScriptTarget } from 'typescript';
import { ConfigurationError } from '../../cli/configuration';
import * as library from '../../src';
import { CONTROLLERS, controllersOf, DELIVERIES, deliveriesOf, PLATFORMS } from '../src/choices';
import { projectOf } from '../src/project';
import { Answers, settingsOf } from '../src/settings';

const load = createRequire(__filename);

/** Runs a module of a project, with what it imports. */
function run(source: string, imports: { [name: string]: unknown }): any {
  const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 } });
  const module = { exports: {} };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  new Function('require', 'module', 'exports', outputText)((name: string) => imports[name] ?? load(name), module, module.exports);
  return module.exports;
}

function answersOf(platform: string, controller: string, delivery: string): Answers {
  return {
    platform, controller, delivery, domain: 'clusters.example.com', ...delivery === 'argocd' ? { repoUrl: 'https://git.example.com/platform.git' } : {},
  };
}

const ALL = PLATFORMS.flatMap(platform => CONTROLLERS.flatMap(controller => DELIVERIES.map(delivery => ({
  name: `${platform.name} behind ${controller.name}, delivered by ${delivery.name}`,
  answers: answersOf(platform.name, controller.name, delivery.name),
  possible: controllersOf(platform).includes(controller) && deliveriesOf(platform).includes(delivery),
}))));
const POSSIBLE = ALL.filter(({ possible }) => possible);
const IMPOSSIBLE = ALL.filter(({ possible }) => !possible);

test('the test of a project fails where manifests disagree', () => {
  const files = projectOf(settingsOf(answersOf('kamaji', 'traefik', 'sync')));
  const outside = { 'cdk8s-hosted-control-plane': library };
  const withoutProxy = run(files['control-planes.ts'].replace(/ +new TcpProxyAddon[^;]*;/, ''), outside);
  const runTest = (name: string, body: () => void) => name.startsWith('nothing') && body();
  expect(() => run(files['control-planes.test.ts'], { ...outside, './control-planes': withoutProxy, 'node:test': { test: runTest } })).toThrow(/HCP\d+/);
});

test('the test of a project passes with a further tenant as well', () => {
  const files = projectOf(settingsOf(answersOf('kamaji', 'traefik', 'flux')));
  const outside = { 'cdk8s-hosted-control-plane': library };
  const tenant = /  \/\/ A tenant\.[^]*(?=\n  \/\/ Routes)/.exec(files['control-planes.ts'])![0];
  const two = files['control-planes.ts'].replace(tenant, `${tenant}\n  {\n${tenant.replace("'tenant-01'", "'tenant-02'")}\n  }\n`);
  const made = run(two, outside);
  const passed: string[] = [];
  const runTest = (name: string, body: () => void) => {
    body();
    passed.push(name);
  };
  run(files['control-planes.test.ts'], { ...outside, './control-planes': made, 'node:test': { test: runTest } });
  expect(made.controlPlanes(Testing.app()).charts).toHaveLength(2);
  expect(passed).toHaveLength(3);
});

test('most combinations are possible', () => {
  expect([POSSIBLE.length, IMPOSSIBLE.length]).toEqual([267, 93]);
});

describe.each(POSSIBLE)('$name', ({ answers }) => {
  test('the app synthesizes, and its test passes', () => {
    const files = projectOf(settingsOf(answers));
    const outside = { 'cdk8s-hosted-control-plane': library };
    const made = run(files['control-planes.ts'], outside);
    const passed: string[] = [];
    const runTest = (name: string, body: () => void) => {
      body();
      passed.push(name);
    };
    run(files['control-planes.test.ts'], { ...outside, './control-planes': made, 'node:test': { test: runTest } });
    expect(passed.length).toBe(answers.platform === 'hypershift' ? 2 : 3);
  });
});

test.each(IMPOSSIBLE)('$name: is an error that names what is possible', ({ answers }) => {
  const platform = PLATFORMS.find(({ name }) => name === answers.platform)!;
  const inPlace = (flag: string, names: string[]) => new RegExp(`^--${flag} .*; choose ${names.join('(, | or )')}$`);
  const wrong = controllersOf(platform).some(({ name }) => name === answers.controller)
    ? inPlace('delivery', deliveriesOf(platform).map(({ name }) => name)) : inPlace('controller', controllersOf(platform).map(({ name }) => name));
  expect(() => settingsOf(answers)).toThrow(ConfigurationError);
  expect(() => settingsOf(answers)).toThrow(wrong);
});
