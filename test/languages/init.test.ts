import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { built, installNpmPackage } from './support/packages';
import { initProject, KINDS, run } from './support/projects';
import { CONTROLLERS, controllersOf, deliveriesOf, PLATFORMS } from '../../init/src/choices';
import { goText, javaText, pythonText } from '../../init/src/languages/literals';

jest.setTimeout(600_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-languages-'));
  installNpmPackage(join(folder, 'tools'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LANGUAGES = Object.keys(KINDS);

/** Each controller, with platforms and deliveries in turn: all of them occur. */
const CASES = CONTROLLERS.flatMap((controller, i) => {
  const platforms = PLATFORMS.filter(platform => controllersOf(platform).includes(controller));
  return [platforms[i % platforms.length], ...controller.portsOfTenants ? platforms.filter(({ tcpProxy }) => !tcpProxy) : []].map((platform, j) => {
    const deliveries = deliveriesOf(platform);
    const delivery = deliveries[(i + j) % deliveries.length].name;
    return {
      name: `case${i}${j}`, platform: platform.name, controller: controller.name, delivery, url: delivery === 'argocd' ? ['--repo-url', 'https://git.example.com/a.git'] : [],
    };
  });
});

/** What a project writes, by path. */
function manifestsOf(project: string): { [path: string]: string } {
  const dist = join(project, 'dist');
  return Object.fromEntries(readdirSync(dist, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name)).map(path => [path.slice(dist.length + 1), readFileSync(path, 'utf8')]));
}

describe.each(LANGUAGES)('a project in %s, from an empty folder', language => {
  const kind = KINDS[language];
  const project = () => join(folder, language);

  test('gets what it needs from the registries, and its test passes', () => {
    initProject(join(folder, 'tools'), project(), '--language', language);
    kind.install(project());
    expect(kind.test(project())).toMatch(kind.passed);
  });

  test('writes the same manifests as in TypeScript', () => {
    kind.synth(project());
    const manifests = manifestsOf(project());
    expect(Object.keys(manifests)).toEqual(expect.arrayContaining(['management.k8s.yaml', 'report/exposure-report.md']));
    expect(manifests).toEqual(manifestsOf(join(folder, 'typescript')));
  });

  test('has a test that fails where the app is another one', () => {
    const path = { typescript: 'control-planes.ts', python: 'control_planes.py', go: 'control_planes.go', java: 'src/main/java/com/example/controlplanes/ControlPlanes.java' }[language]!;
    const file = join(project(), path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"])example\.com\1/, '$1other.example.com$1'));
    expect(() => kind.test(project())).toThrow('other.example.com');
  });
});

describe('what is chosen compiles too, for every controller, platform and delivery', () => {
  test('all occur', () => {
    for (const [field, count] of [['controller', 12], ['platform', 6], ['delivery', 5]] as const) {
      expect(new Set(CASES.map(each => each[field])).size).toBe(count);
    }
  });

  /** Puts the control planes of each case into a folder of a project. */
  function addCases(language: string, path: string, into: (name: string) => string, change: (text: string, name: string) => string): string {
    const project = join(folder, language);
    for (const { name, platform, controller, delivery, url } of CASES) {
      const made = join(folder, 'cases', `${language}-${name}`);
      initProject(join(folder, 'tools'), made, '--language', language, '--platform', platform, '--controller', controller, '--delivery', delivery, ...url);
      const file = join(project, into(name));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, change(readFileSync(join(made, path), 'utf8'), name));
    }
    return project;
  }

  test('in TypeScript', () => {
    run(addCases('typescript', 'control-planes.ts', name => `${name}.ts`, text => text), 'npx', 'tsc');
  });

  test('in Python, where nothing in the manifests disagrees either', () => {
    const project = addCases('python', 'control_planes.py', name => `${name}.py`, text => text);
    writeFileSync(join(project, 'cases.py'), [
      'import importlib, sys', 'from cdk8s import Testing', 'from cdk8s_hosted_control_plane import SynthesizedPlatform', 'for name in sys.argv[1:]:',
      '    app = Testing.app()', '    importlib.import_module(name).control_planes(app)', '    print(name, len(SynthesizedPlatform.of_app(app).findings()))',
    ].join('\n'));
    expect(run(project, '.venv/bin/python', 'cases.py', ...CASES.map(({ name }) => name))).toBe(CASES.map(({ name }) => `${name} 0\n`).join(''));
  });

  test('in Go, as gofmt writes it', () => {
    const project = addCases('go', 'control_planes.go', name => `${name}/control_planes.go`, (text, name) => text.replace('package main', `package ${name}`));
    run(project, 'go', 'build', './...');
    expect(run(project, 'gofmt', '-l', '.')).toBe('');
  });

  test('in Java', () => {
    const project = addCases('java', 'src/main/java/com/example/controlplanes/ControlPlanes.java', name => `src/main/java/com/example/${name}/ControlPlanes.java`,
      (text, name) => text.replace('package com.example.controlplanes', `package com.example.${name}`));
    run(project, 'mvn', '--batch-mode', '--quiet', '--offline', `-Dmaven.repo.local=${built('JAVA_REPOSITORY')}`, 'compile');
  });
});

describe('a hostile text', () => {
  const TEXTS = ['\\', '"', "'", '`', '\\"', '\\\\"', '\\u0022', '\\\\u0022', '\n\r\u0085\u2028\u2029', '\u0000\u0001\u007f', '${x}', '%s{{x}}', '*/ // #', 'é😀\ufeff', '"; exit(); "'];
  const HEX = TEXTS.map(text => Buffer.from(text).toString('hex'));

  test.each<[string, string, (file: string) => string[], string]>([
    ['Python', 'texts.py', file => ['python3', file], `for text in [${TEXTS.map(pythonText).join(', ')}]:\n    print(text.encode().hex())\n`],
    ['Go', 'texts.go', file => ['go', 'run', file],
      `package main\n\nimport "fmt"\n\nfunc main() {\n\tfor _, text := range []string{${TEXTS.map(goText).join(', ')}} {\n\t\tfmt.Printf("%x\\n", text)\n\t}\n}\n`],
    ['Java', 'Texts.java', file => ['java', file], [
      'class Texts {', '  public static void main(String[] args) {', `    for (String text : new String[] {${TEXTS.map(javaText).join(', ')}}) {`,
      '      System.out.println(java.util.HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));', '    }', '  }', '}',
    ].join('\n')],
  ])('is the same text in %s', (_, name, command, program) => {
    const file = join(folder, name);
    writeFileSync(file, program);
    const [first, ...args] = command(file);
    expect(run(folder, first, ...args).trim().split('\n')).toEqual(HEX);
  });
});
