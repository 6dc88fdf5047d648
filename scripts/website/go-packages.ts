import { readFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..');
const PACKAGES: { readonly [assembly: string]: string } = {
  '.jsii': 'cdk8shostedcontrolplane', 'node_modules/cdk8s/.jsii': 'cdk8s', 'node_modules/cdk8s-plus-30/.jsii': 'cdk8splus30',
};

let packageOfType: Map<string, string> | undefined;

/** Go as jsii-rosetta writes it, with the packages of structs, which it leaves out. */
export function withPackagesOfGo(go: string): string {
  packageOfType ??= new Map(Object.entries(PACKAGES).reverse().flatMap(([assembly, name]) => {
    const { types } = JSON.parse(readFileSync(join(ROOT, assembly), 'utf8'));
    return Object.values<{ name: string; kind: string }>(types).filter(({ kind }) => kind === 'interface').map(type => [type.name, name] as const);
  }));
  return go.replace(/(&|\[\])([A-Z]\w*)(?=\{)/g, (whole, mark: string, type: string) => {
    const name = packageOfType!.get(type);
    return name === undefined ? whole : `${mark === '&' ? '&' : '&[]*'}${name}.${type}`;
  });
}
