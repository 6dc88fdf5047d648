import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { built } from './support/packages';

/*
 * The sources for .NET as far as they can be looked at without its compiler: .github/workflows/build.yml compiles them.
 */
const ROOT = join(__dirname, '..', '..');
const { types } = JSON.parse(readFileSync(join(ROOT, '.jsii'), 'utf8')) as { types: { [fqn: string]: { name: string; kind: string; datatype?: boolean; docs?: { summary?: string } } } };
const NAMESPACE = 'Cdk8sHostedControlPlane';

function source(name: string): string {
  return readFileSync(join(built('DOTNET_SOURCES'), NAMESPACE, `${name}.cs`), 'utf8');
}

test('every type has a file in the namespace, with its summary for the documentation', () => {
  const lacking = Object.values(types).filter(({ name, docs }) => {
    const text = source(name);
    return !text.includes(`namespace ${NAMESPACE}`) || !new RegExp(`(class|enum|interface) ${name}\\b`).test(text) || (docs?.summary !== undefined && !text.includes('/// <summary>'));
  });
  expect(Object.keys(types).length).toBeGreaterThan(200);
  expect(lacking).toEqual([]);
});

test('properties are interfaces too, by which a program may give its own', () => {
  const structs = Object.values(types).filter(({ kind, datatype }) => kind === 'interface' && datatype);
  const files = readdirSync(join(built('DOTNET_SOURCES'), NAMESPACE));
  expect(structs.filter(({ name }) => !files.includes(`I${name}.cs`))).toEqual([]);
});

test('the project brings the package, its documentation, and the packages that it goes with', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const project = readFileSync(join(built('DOTNET_SOURCES'), `${NAMESPACE}.csproj`), 'utf8');
  expect(project).toContain(`<PackageId>${NAMESPACE}</PackageId>`);
  expect(project).toContain('<GenerateDocumentationFile>true</GenerateDocumentationFile>');
  for (const [npm, nuget] of [['cdk8s', 'Org.Cdk8s'], ['cdk8s-plus-30', 'Org.Cdk8s.Plus30'], ['constructs', 'Constructs']]) {
    expect(project).toContain(`<PackageReference Include="${nuget}" Version="[${peerDependencies[npm].slice(1)},`);
  }
  const [, archive] = /<EmbeddedResource Include="([^"]+)"/.exec(project)!;
  expect(readdirSync(built('DOTNET_SOURCES'))).toContain(archive);
});
