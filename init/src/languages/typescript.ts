import { fileOf, Files, indented, App, Language, paragraphs } from './language';
import { typescriptText } from './literals';
import { Construction, Expression, expressionsOf } from '../code';
import { ACTIONS } from '../files/actions';
import { Settings } from '../settings';
import { VERSIONS } from '../versions';

export const TYPESCRIPT: Language = {
  name: 'typescript',
  command: 'npx tsx main.ts',
  install: ['npm install'],
  lockFile: 'package-lock.json',
  test: 'npm test',
  setup: [{ uses: ACTIONS.setupNode, with: { 'node-version': '24' } }, { run: 'npm ci' }],
  ecosystem: 'npm',
  ignored: ['node_modules/'],
  sources: { app: 'control-planes.ts', test: 'control-planes.test.ts' },
  files: ({ settings, constructions }: App): Files => ({
    'control-planes.ts': app(settings, constructions),
    'main.ts': fileOf([
      "import { App } from 'cdk8s';", "import { controlPlanes } from './control-planes';", '', 'const app = new App();', 'controlPlanes(app);', 'app.synth();',
    ]),
    'control-planes.test.ts': test(settings),
    'package.json': json({
      name: 'control-planes',
      private: true,
      scripts: { synth: 'tsx main.ts', test: 'tsc && node --import tsx --test control-planes.test.ts' },
      dependencies: {
        'cdk8s': `^${VERSIONS.cdk8s}`,
        'cdk8s-hosted-control-plane': `^${VERSIONS.library}`,
        'cdk8s-plus-30': `^${VERSIONS.plus}`,
        'constructs': `^${VERSIONS.constructs}`,
      },
      devDependencies: { '@types/node': VERSIONS.typesNode, 'tsx': VERSIONS.tsx, 'typescript': VERSIONS.typescript },
    }),
    'tsconfig.json': json({
      compilerOptions: { module: 'node16', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }, include: ['*.ts'],
    }),
  }),
};

function app({ platform }: Settings, constructions: readonly Construction[]): string {
  return fileOf([
    "import { App, Chart } from 'cdk8s';",
    'import {',
    ...indented(classesOf(constructions), '  ').map(line => `${line},`),
    "} from 'cdk8s-hosted-control-plane';",
    '',
    `export function controlPlanes(app: App): ${platform.tcpProxy ? 'TenantCharts' : 'void'} {`,
    ...indented(paragraphs([...constructions.map(construction), ...platform.tcpProxy ? [['return tenants;']] : []]), '  '),
    '}',
  ]);
}

function classesOf(constructions: readonly Construction[]): string[] {
  const factories = constructions.flatMap(expressionsOf).flatMap(part => part.kind === 'factory' ? [part.class] : []);
  return [...new Set([...constructions.filter(({ module }) => module === 'library').map(made => made.class), ...factories])].sort();
}

function construction({ class: type, variable, scope, id, props, comment = [] }: Construction): string[] {
  const begin = `${variable === undefined ? '' : `const ${variable} = `}new ${type}(${written(scope)}, ${typescriptText(id)}`;
  const fields = Object.entries(props?.fields ?? {});
  return [
    ...comment.map(line => `// ${line}`),
    ...fields.length === 0 ? [`${begin});`] : [`${begin}, {`, ...fields.map(([name, value]) => `  ${field(name, value)},`), '});'],
  ];
}

function field(name: string, value: Expression): string {
  return value.kind === 'variable' && value.name === name ? name : `${name}: ${written(value)}`;
}

function written(expression: Expression): string {
  switch (expression.kind) {
    case 'text': return typescriptText(expression.value);
    case 'number': case 'flag': return String(expression.value);
    case 'texts': return `[${expression.values.map(typescriptText).join(', ')}]`;
    case 'map': return `{ ${Object.entries(expression.entries).map(([key, value]) => `${typescriptText(key)}: ${typescriptText(value)}`).join(', ')} }`;
    case 'structs': return `[${expression.items.map(written).join(', ')}]`;
    case 'variable': return expression.name;
    case 'absent': return '';
    case 'struct': {
      const fields = Object.entries(expression.fields);
      return fields.length === 0 ? '{}' : `{ ${fields.map(([name, value]) => field(name, value)).join(', ')} }`;
    }
    case 'factory': return `${expression.class}.${expression.method}(${args(expression.args)})`;
    case 'call': return `${expression.on}.${expression.method}(${args(expression.args)})`;
  }
}

function args(given: readonly Expression[]): string {
  return given.filter(({ kind }) => kind !== 'absent').map(written).join(', ');
}

function test({ tenant, apiHost, platform }: Settings): string {
  return fileOf([
    "import * as assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { Testing } from 'cdk8s';",
    "import { SynthesizedPlatform } from 'cdk8s-hosted-control-plane';",
    "import { controlPlanes } from './control-planes';",
    '',
    'const app = Testing.app();',
    `${platform.tcpProxy ? 'const tenants = ' : ''}controlPlanes(app);`,
    'const platform = SynthesizedPlatform.ofApp(app);',
    '',
    "void test('nothing in the manifests disagrees', () => {",
    '  assert.deepEqual(platform.findings(), []);',
    '});',
    '',
    "void test('the API server has the host that DNS leads to the shared address', () => {",
    `  assert.equal(platform.apiHost(${typescriptText(`${tenant}${platform.suffix}`)}), ${typescriptText(apiHost)});`,
    '});',
    ...platform.tcpProxy ? [
      '',
      "void test('each tcp-proxy connects to the API server that it verifies', () => {",
      '  for (const tenant of tenants.charts) {',
      '    assert.ok(SynthesizedPlatform.of(tenant).proxyUpstream().verified, tenant.node.id);',
      '  }',
      '});',
    ] : [],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
