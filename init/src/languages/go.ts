import { App, fileOf, Files, indented, Language, paragraphs } from './language';
import { goText } from './literals';
import { pascalCase } from './names';
import { Construction, Expression, Struct } from '../code';
import { ACTIONS } from '../files/actions';
import { Settings } from '../settings';
import { VERSIONS } from '../versions';

const LIBRARY = 'github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane';
const CDK8S = 'github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2';
const JSII = 'github.com/aws/jsii-runtime-go';

export const GO: Language = {
  name: 'go',
  command: 'go run .',
  install: ['go mod tidy'],
  lockFile: 'go.sum',
  test: 'go test ./...',
  setup: [
    // jsii runs the library on Node.js.
    { uses: ACTIONS.setupNode, with: { 'node-version': '24' } },
    { uses: ACTIONS.setupGo, with: { 'go-version-file': 'go.mod' } },
  ],
  ecosystem: 'gomod',
  ignored: ['/control-planes'],
  sources: { app: 'control_planes.go', test: 'control_planes_test.go' },
  files: ({ settings, constructions }: App): Files => ({
    'control_planes.go': app(settings, constructions),
    'main.go': fileOf([
      'package main', '', 'import (', `\t"${JSII}"`, `\t"${CDK8S}"`, ')', '', 'func main() {', '\tdefer jsii.Close()', '', '\tapp := cdk8s.NewApp(nil)', '\tcontrolPlanes(app)',
      '\tapp.Synth()', '}',
    ]),
    'control_planes_test.go': test(settings),
    'go.mod': fileOf([
      'module example.com/control-planes', '', `go ${VERSIONS.go}`, '', 'require (', `\t${JSII} ${VERSIONS.jsiiGo}`, `\t${LIBRARY} v${VERSIONS.library}`,
      `\t${CDK8S} v${VERSIONS.cdk8s}`, ')',
    ]),
  }),
};

function app({ platform }: Settings, constructions: readonly Construction[]): string {
  return fileOf([
    'package main',
    '',
    'import (',
    `\t"${JSII}"`,
    `\thcp "${LIBRARY}"`,
    `\t"${CDK8S}"`,
    ')',
    '',
    `func controlPlanes(app cdk8s.App) ${platform.tcpProxy ? 'hcp.TenantCharts ' : ''}{`,
    ...indented(paragraphs([...constructions.map(construction), ...platform.tcpProxy ? [['return tenants']] : []]), '\t'),
    '}',
  ]);
}

function construction({ module, class: type, variable, scope, id, props, comment = [] }: Construction): string[] {
  const begin = `${variable === undefined ? '' : `${variable} := `}${module === 'cdk8s' ? 'cdk8s' : 'hcp'}.New${type}(${written(scope)}, jsii.String(${goText(id)}), `;
  const fields = Object.entries(props?.fields ?? {}).map(([name, value]) => [`${pascalCase(name)}:`, written(value)]);
  // As gofmt aligns them.
  const width = Math.max(0, ...fields.map(([name]) => name.length)) + 1;
  return [
    ...comment.map(line => `// ${line}`),
    ...props === undefined ? [`${begin}nil)`]
      : [`${begin}&hcp.${props.type}{`, ...fields.map(([name, value]) => `\t${name.padEnd(width)}${value},`), '})'],
  ];
}

function written(expression: Expression): string {
  switch (expression.kind) {
    case 'text': return `jsii.String(${goText(expression.value)})`;
    case 'number': return `jsii.Number(${expression.value})`;
    case 'flag': return `jsii.Bool(${expression.value})`;
    case 'texts': return `jsii.Strings(${expression.values.map(goText).join(', ')})`;
    case 'map': return `&map[string]*string{${Object.entries(expression.entries).map(([key, value]) => `${goText(key)}: jsii.String(${goText(value)})`).join(', ')}}`;
    case 'structs': return `&[]*hcp.${expression.type}{${expression.items.map(item => `{${fieldsOf(item)}}`).join(', ')}}`;
    case 'variable': return expression.name;
    case 'absent': return 'nil';
    case 'struct': return `&hcp.${expression.type}{${fieldsOf(expression)}}`;
    case 'factory': return `hcp.${expression.class}_${pascalCase(expression.method)}(${expression.args.map(written).join(', ')})`;
    case 'call': return `${expression.on}.${pascalCase(expression.method)}(${expression.args.map(written).join(', ')})`;
  }
}

function fieldsOf({ fields }: Struct): string {
  return Object.entries(fields).map(([name, value]) => `${pascalCase(name)}: ${written(value)}`).join(', ');
}

function test({ tenant, apiHost, platform }: Settings): string {
  return fileOf([
    'package main',
    '',
    'import (',
    '\t"os"',
    '\t"testing"',
    '',
    `\t"${JSII}"`,
    `\thcp "${LIBRARY}"`,
    `\t"${CDK8S}"`,
    ')',
    '',
    ...platform.tcpProxy ? ['var (', '\ttenants  hcp.TenantCharts', '\tplatform hcp.SynthesizedPlatform', ')'] : ['var platform hcp.SynthesizedPlatform'],
    '',
    'func TestMain(m *testing.M) {',
    '\tapp := cdk8s.Testing_App(nil)',
    `\t${platform.tcpProxy ? 'tenants = ' : ''}controlPlanes(app)`,
    '\tplatform = hcp.SynthesizedPlatform_OfApp(app)',
    '\tcode := m.Run()',
    '\tjsii.Close()',
    '\tos.Exit(code)',
    '}',
    '',
    'func TestNothingInTheManifestsDisagrees(t *testing.T) {',
    '\tfor _, finding := range *platform.Findings() {',
    '\t\tt.Error(*finding.Message)',
    '\t}',
    '}',
    '',
    'func TestTheApiServerHasTheHostThatDnsLeadsToTheSharedAddress(t *testing.T) {',
    `\tif host := *platform.ApiHost(jsii.String(${goText(`${tenant}${platform.suffix}`)})); host != ${goText(apiHost)} {`,
    '\t\tt.Error(host)',
    '\t}',
    '}',
    ...platform.tcpProxy ? [
      '',
      'func TestEachTcpProxyConnectsToTheApiServerThatItVerifies(t *testing.T) {',
      '\tfor _, tenant := range *tenants.Charts() {',
      '\t\tif !*hcp.SynthesizedPlatform_Of(tenant).ProxyUpstream().Verified {',
      '\t\t\tt.Error(*tenant.Node().Id())',
      '\t\t}',
      '\t}',
      '}',
    ] : [],
  ]);
}
