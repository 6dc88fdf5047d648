import { App, fileOf, Files, indented, Language, paragraphs } from './language';
import { javaText } from './literals';
import { Construction, Expression, expressionsOf, Struct } from '../code';
import { ACTIONS } from '../files/actions';
import { Settings } from '../settings';
import { VERSIONS } from '../versions';

const PACKAGE = 'com.example.controlplanes';
const FOLDER = PACKAGE.replace(/\./g, '/');
const LIBRARY = 'io.github.cdk8shostedcontrolplane';
const CDK8S = 'org.cdk8s';

export const JAVA: Language = {
  name: 'java',
  command: 'mvn --quiet --batch-mode compile exec:java',
  install: [],
  test: 'mvn --batch-mode --no-transfer-progress test',
  setup: [
    // jsii runs the library on Node.js.
    { uses: ACTIONS.setupNode, with: { 'node-version': '24' } },
    { uses: ACTIONS.setupJava, with: { 'distribution': 'temurin', 'java-version': '21', 'cache': 'maven' } },
  ],
  ecosystem: 'maven',
  ignored: ['target/'],
  sources: { app: `src/main/java/${FOLDER}/ControlPlanes.java`, test: `src/test/java/${FOLDER}/ControlPlanesTest.java` },
  files: ({ settings, constructions }: App): Files => ({
    [`src/main/java/${FOLDER}/ControlPlanes.java`]: app(settings, constructions),
    [`src/main/java/${FOLDER}/Main.java`]: fileOf([
      `package ${PACKAGE};`, '', `import ${CDK8S}.App;`, '', 'public final class Main {', '    public static void main(final String[] args) {', '        App app = new App();',
      '        ControlPlanes.addTo(app);', '        app.synth();', '    }', '}',
    ]),
    [`src/test/java/${FOLDER}/ControlPlanesTest.java`]: test(settings),
    'pom.xml': pom(),
  }),
};

function app({ platform }: Settings, constructions: readonly Construction[]): string {
  return fileOf([
    `package ${PACKAGE};`,
    '',
    ...importsOf(constructions).map(name => `import ${name};`),
    '',
    'final class ControlPlanes {',
    '    private ControlPlanes() {',
    '    }',
    '',
    `    static ${platform.tcpProxy ? 'TenantCharts' : 'void'} addTo(final App app) {`,
    ...indented(paragraphs([...constructions.map(construction), ...platform.tcpProxy ? [['return tenants;']] : []]), '        '),
    '    }',
    '}',
  ]);
}

function importsOf(constructions: readonly Construction[]): string[] {
  const parts = constructions.flatMap(expressionsOf);
  const library = [
    ...constructions.filter(({ module }) => module === 'library').map(made => made.class),
    ...parts.flatMap(part => part.kind === 'factory' ? [part.class] : part.kind === 'struct' || part.kind === 'structs' ? [part.type] : []),
  ].map(name => `${LIBRARY}.${name}`);
  const collections = [
    ...parts.some(({ kind }) => kind === 'texts' || kind === 'structs') ? ['java.util.List'] : [], ...parts.some(({ kind }) => kind === 'map') ? ['java.util.Map'] : [],
  ];
  return [...new Set([...library, `${CDK8S}.App`, `${CDK8S}.Chart`, ...collections])].sort();
}

function construction({ class: type, variable, scope, id, props, comment = [] }: Construction): string[] {
  const begin = variable === undefined ? '' : `${type} ${variable} = `;
  const fields = Object.entries(props?.fields ?? {});
  const positional = `${written(scope)}, ${javaText(id)}`;
  return [
    ...comment.map(line => `// ${line}`),
    ...fields.length === 0 ? [`${begin}new ${type}(${positional});`]
      : [`${begin}${type}.Builder.create(${positional})`, ...fields.map(([name, value]) => `        .${name}(${written(value)})`), '        .build();'],
  ];
}

function written(expression: Expression): string {
  switch (expression.kind) {
    case 'text': return javaText(expression.value);
    case 'number': case 'flag': return String(expression.value);
    case 'texts': return `List.of(${expression.values.map(javaText).join(', ')})`;
    case 'map': return `Map.of(${Object.entries(expression.entries).flat().map(javaText).join(', ')})`;
    case 'structs': return `List.of(${expression.items.map(written).join(', ')})`;
    case 'variable': return expression.name;
    case 'absent': return '';
    case 'struct': return built(expression);
    case 'factory': return `${expression.class}.${expression.method}(${args(expression.args)})`;
    case 'call': return `${expression.on}.${expression.method}(${args(expression.args)})`;
  }
}

function built({ type, fields }: Struct): string {
  return `${type}.builder()${Object.entries(fields).map(([name, value]) => `.${name}(${written(value)})`).join('')}.build()`;
}

function args(given: readonly Expression[]): string {
  return given.filter(({ kind }) => kind !== 'absent').map(written).join(', ');
}

function test({ tenant, apiHost, platform }: Settings): string {
  return fileOf([
    `package ${PACKAGE};`,
    '',
    'import static org.junit.jupiter.api.Assertions.assertEquals;',
    ...platform.tcpProxy ? ['import static org.junit.jupiter.api.Assertions.assertTrue;'] : [],
    '',
    `import ${LIBRARY}.Finding;`,
    `import ${LIBRARY}.SynthesizedPlatform;`,
    ...platform.tcpProxy ? [`import ${LIBRARY}.TenantCharts;`] : [],
    'import java.util.List;',
    `import ${CDK8S}.App;`,
    ...platform.tcpProxy ? [`import ${CDK8S}.Chart;`] : [],
    `import ${CDK8S}.Testing;`,
    'import org.junit.jupiter.api.BeforeAll;',
    'import org.junit.jupiter.api.Test;',
    '',
    'class ControlPlanesTest {',
    ...platform.tcpProxy ? ['    private static TenantCharts tenants;'] : [],
    '    private static SynthesizedPlatform platform;',
    '',
    '    @BeforeAll',
    '    static void synthesize() {',
    '        App app = Testing.app();',
    `        ${platform.tcpProxy ? 'tenants = ' : ''}ControlPlanes.addTo(app);`,
    '        platform = SynthesizedPlatform.ofApp(app);',
    '    }',
    '',
    '    @Test',
    '    void nothingInTheManifestsDisagrees() {',
    '        assertEquals(List.of(), platform.findings().stream().map(Finding::getMessage).toList());',
    '    }',
    '',
    '    @Test',
    '    void theApiServerHasTheHostThatDnsLeadsToTheSharedAddress() {',
    `        assertEquals(${javaText(apiHost)}, platform.apiHost(${javaText(`${tenant}${platform.suffix}`)}));`,
    '    }',
    ...platform.tcpProxy ? [
      '',
      '    @Test',
      '    void eachTcpProxyConnectsToTheApiServerThatItVerifies() {',
      '        for (Chart tenant : tenants.getCharts()) {',
      '            assertTrue(SynthesizedPlatform.of(tenant).proxyUpstream().getVerified(), tenant.getNode().getId());',
      '        }',
      '    }',
    ] : [],
    '}',
  ]);
}

function dependency(groupId: string, artifactId: string, version: string, ...rest: string[]): string[] {
  return [
    '    <dependency>', `      <groupId>${groupId}</groupId>`, `      <artifactId>${artifactId}</artifactId>`, `      <version>${version}</version>`,
    ...rest.map(line => `      ${line}`), '    </dependency>',
  ];
}

function plugin(groupId: string, artifactId: string, version: string): string[] {
  return [
    '      <plugin>', `        <groupId>${groupId}</groupId>`, `        <artifactId>${artifactId}</artifactId>`, `        <version>${version}</version>`,
    '      </plugin>',
  ];
}

function pom(): string {
  return fileOf([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    '         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">',
    '  <modelVersion>4.0.0</modelVersion>',
    '  <groupId>com.example</groupId>',
    '  <artifactId>control-planes</artifactId>',
    '  <version>1.0</version>',
    '  <properties>',
    '    <maven.compiler.release>17</maven.compiler.release>',
    '    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>',
    `    <exec.mainClass>${PACKAGE}.Main</exec.mainClass>`,
    '    <exec.cleanupDaemonThreads>false</exec.cleanupDaemonThreads>',
    '  </properties>',
    '  <dependencies>',
    ...dependency('io.github.cdk8s-hosted-control-plane', 'cdk8s-hosted-control-plane', VERSIONS.library),
    ...dependency('org.cdk8s', 'cdk8s', VERSIONS.cdk8s),
    ...dependency('org.cdk8s', 'cdk8s-plus-30', VERSIONS.plus),
    ...dependency('software.constructs', 'constructs', VERSIONS.constructs),
    ...dependency('org.junit.jupiter', 'junit-jupiter', VERSIONS.junit, '<scope>test</scope>'),
    '  </dependencies>',
    '  <build>',
    '    <plugins>',
    ...plugin('org.apache.maven.plugins', 'maven-compiler-plugin', VERSIONS.compilerPlugin),
    ...plugin('org.apache.maven.plugins', 'maven-surefire-plugin', VERSIONS.surefirePlugin),
    ...plugin('org.codehaus.mojo', 'exec-maven-plugin', VERSIONS.execPlugin),
    '    </plugins>',
    '  </build>',
    '</project>',
  ]);
}
