import { App, fileOf, Files, indented, Language, paragraphs } from './language';
import { pythonText } from './literals';
import { snakeCase } from './names';
import { Construction, Expression, expressionsOf, Struct } from '../code';
import { ACTIONS } from '../files/actions';
import { Settings } from '../settings';
import { VERSIONS } from '../versions';

export const PYTHON: Language = {
  name: 'python',
  command: 'python main.py',
  install: ['python -m venv .venv && . .venv/bin/activate', 'pip install --requirement requirements.txt'],
  test: 'python -m unittest control_planes_test',
  setup: [
    // jsii runs the library on Node.js.
    { uses: ACTIONS.setupNode, with: { 'node-version': '24' } },
    { uses: ACTIONS.setupPython, with: { 'python-version': '3.13' } },
    { run: 'pip install --requirement requirements.txt' },
  ],
  ecosystem: 'pip',
  ignored: ['.venv/', '__pycache__/'],
  sources: { app: 'control_planes.py', test: 'control_planes_test.py' },
  files: ({ settings, constructions }: App): Files => ({
    'control_planes.py': app(settings, constructions),
    'main.py': fileOf([
      'from cdk8s import App', '', 'from control_planes import control_planes', '', 'app = App()', 'control_planes(app)', 'app.synth()',
    ]),
    'control_planes_test.py': test(settings),
    'requirements.txt': fileOf([
      `cdk8s==${VERSIONS.cdk8s}`,
      `cdk8s-hosted-control-plane==${VERSIONS.library}`,
      `cdk8s-plus-30==${VERSIONS.plus}`,
      `constructs==${VERSIONS.constructs}`,
    ]),
  }),
};

function app({ platform }: Settings, constructions: readonly Construction[]): string {
  return fileOf([
    'from cdk8s import App, Chart',
    'from cdk8s_hosted_control_plane import (',
    ...classesOf(constructions).map(name => `    ${name},`),
    ')',
    '',
    '',
    `def control_planes(app: App) -> ${platform.tcpProxy ? 'TenantCharts' : 'None'}:`,
    ...indented(paragraphs([...constructions.map(construction), ...platform.tcpProxy ? [['return tenants']] : []]), '    '),
  ]);
}

/** Those of constructs and factories, and of properties within properties: others are keyword arguments. */
function classesOf(constructions: readonly Construction[]): string[] {
  const within = constructions.flatMap(expressionsOf).flatMap(part => part.kind === 'factory'
    ? [part.class, ...part.args.flatMap(arg => arg.kind === 'struct' ? [] : structsOf(arg))]
    : structsOf(part));
  const asArguments = constructions.flatMap(expressionsOf).flatMap(part => part.kind === 'factory' ? part.args.flatMap(arg => arg.kind === 'struct' ? [arg.type] : []) : []);
  return [...new Set([...constructions.filter(({ module }) => module === 'library').map(made => made.class), ...within])]
    .filter(name => !asArguments.includes(name)).sort();
}

function structsOf(expression: Expression): string[] {
  return expression.kind === 'struct' ? [expression.type] : [];
}

function construction({ class: type, variable, scope, id, props, comment = [] }: Construction): string[] {
  const begin = `${variable === undefined ? '' : `${snakeCase(variable)} = `}${type}(`;
  const fields = Object.entries(props?.fields ?? {});
  const positional = `${written(scope)}, ${pythonText(id)}`;
  return [
    ...comment.map(line => `# ${line}`),
    ...fields.length === 0 ? [`${begin}${positional})`]
      : [begin, `    ${positional},`, ...fields.map(([name, value]) => `    ${snakeCase(name)}=${written(value)},`), ')'],
  ];
}

function written(expression: Expression): string {
  switch (expression.kind) {
    case 'text': return pythonText(expression.value);
    case 'number': return String(expression.value);
    case 'flag': return expression.value ? 'True' : 'False';
    case 'texts': return `[${expression.values.map(pythonText).join(', ')}]`;
    case 'map': return `{${Object.entries(expression.entries).map(([key, value]) => `${pythonText(key)}: ${pythonText(value)}`).join(', ')}}`;
    case 'structs': return `[${expression.items.map(written).join(', ')}]`;
    case 'variable': return snakeCase(expression.name);
    case 'absent': return '';
    case 'struct': return `${expression.type}(${keywords(expression)})`;
    case 'factory': return `${expression.class}.${snakeCase(expression.method)}(${args(expression.args)})`;
    case 'call': return `${snakeCase(expression.on)}.${snakeCase(expression.method)}(${args(expression.args)})`;
  }
}

function keywords({ fields }: Struct): string {
  return Object.entries(fields).map(([name, value]) => `${snakeCase(name)}=${written(value)}`).join(', ');
}

/** The properties, which come last, are keyword arguments. */
function args(given: readonly Expression[]): string {
  return given.filter(({ kind }) => kind !== 'absent').map(arg => arg.kind === 'struct' ? keywords(arg) : written(arg)).join(', ');
}

function test({ tenant, apiHost, platform }: Settings): string {
  return fileOf([
    'import unittest',
    '',
    'from cdk8s import Testing',
    'from cdk8s_hosted_control_plane import SynthesizedPlatform',
    '',
    'from control_planes import control_planes',
    '',
    '',
    'class ControlPlanesTest(unittest.TestCase):',
    '    def setUp(self) -> None:',
    '        app = Testing.app()',
    `        ${platform.tcpProxy ? 'self.tenants = ' : ''}control_planes(app)`,
    '        self.platform = SynthesizedPlatform.of_app(app)',
    '',
    '    def test_nothing_in_the_manifests_disagrees(self) -> None:',
    '        self.assertEqual(self.platform.findings(), [])',
    '',
    '    def test_the_api_server_has_the_host_that_dns_leads_to_the_shared_address(self) -> None:',
    `        self.assertEqual(self.platform.api_host(${pythonText(`${tenant}${platform.suffix}`)}), ${pythonText(apiHost)})`,
    ...platform.tcpProxy ? [
      '',
      '    def test_each_tcp_proxy_connects_to_the_api_server_that_it_verifies(self) -> None:',
      '        for tenant in self.tenants.charts:',
      '            self.assertTrue(SynthesizedPlatform.of(tenant).proxy_upstream().verified, tenant.node.id)',
    ] : [],
    '',
    '',
    "if __name__ == '__main__':",
    '    unittest.main()',
  ]);
}
