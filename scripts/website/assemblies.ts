import { readFileSync } from 'fs';
import { join } from 'path';
import { gunzipSync } from 'zlib';

/*
 * What the assemblies of jsii say of the types that programs name: of ours, which "npx projen compile" makes, and of those beside it.
 */
const ROOT = join(__dirname, '..', '..');

export interface Parameter {
  readonly optional?: boolean;
  readonly type?: TypeReference;
}

export interface Member {
  readonly name: string;
  readonly static?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly returns?: { readonly type: TypeReference };
  readonly type?: TypeReference;
}

interface TypeReference {
  readonly fqn?: string;
}

export interface Type {
  readonly name: string;
  readonly fqn: string;
  readonly kind: 'class' | 'interface' | 'enum';
  /** Of an interface: whether it is a bag of properties. */
  readonly datatype?: boolean;
  readonly namespace?: string;
  readonly base?: string;
  readonly interfaces?: readonly string[];
  readonly initializer?: { readonly parameters?: readonly Parameter[] };
  readonly methods?: readonly Member[];
  readonly properties?: readonly Member[];
}

export interface Package {
  /** Package of Go, and how it is imported. */
  readonly go: string;
  readonly goImport: string;
  readonly java: string;
  readonly types: readonly Type[];
}

/** Packages by the name in npm; submodules of cdk8s-plus have one of their own. */
const GO: { readonly [assembly: string]: readonly [name: string, path: string] } = {
  'cdk8s-hosted-control-plane': ['cdk8shostedcontrolplane', 'github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane'],
  'cdk8s': ['cdk8s', 'github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2'],
  'cdk8s-plus-30': ['cdk8splus30', 'github.com/cdk8s-team/cdk8s-plus-go/cdk8splus30/v2'],
  'constructs': ['constructs', 'github.com/aws/constructs-go/constructs/v10'],
};

let read: readonly Package[] | undefined;

/** Our package first: what two packages call the same is ours. */
export function packages(): readonly Package[] {
  read ??= Object.entries(GO).flatMap(([name, [go, goImport]]) => {
    const { types, targets } = assembly(name === 'cdk8s-hosted-control-plane' ? ROOT : join(ROOT, 'node_modules', name));
    const all = Object.values<Type>(types);
    const k8s = all.filter(({ namespace }) => namespace === 'k8s');
    return [
      { go, goImport, java: targets.java.package, types: all.filter(({ namespace }) => namespace === undefined) },
      ...k8s.length === 0 ? [] : [{ go: 'k8s', goImport: `${goImport}/k8s`, java: `${targets.java.package}.k8s`, types: k8s }],
    ];
  });
  return read;
}

function assembly(folder: string): { types: { [fqn: string]: Type }; targets: { java: { package: string } } } {
  const json = JSON.parse(readFileSync(join(folder, '.jsii'), 'utf8'));
  return json.schema === 'jsii/file-redirect' ? JSON.parse(gunzipSync(readFileSync(join(folder, json.filename))).toString()) : json;
}

let byFqn: ReadonlyMap<string, Type> | undefined;

export function typeOf(fqn: string | undefined): Type | undefined {
  byFqn ??= new Map(packages().flatMap(({ types }) => types.map(type => [type.fqn, type] as const)));
  return fqn === undefined ? undefined : byFqn.get(fqn);
}

/** A member of a type or of what it extends. */
export function memberOf(type: Type | undefined, kind: 'methods' | 'properties', name: string): Member | undefined {
  if (type === undefined) return undefined;
  return type[kind]?.find(each => each.name === name)
    ?? [type.base, ...type.interfaces ?? []].map(fqn => memberOf(typeOf(fqn), kind, name)).find(each => each !== undefined);
}
