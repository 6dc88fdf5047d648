/* eslint-disable no-bitwise -- the compiler's flags are bits */
import { join } from 'path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '..', '..', '..');
/** So deep are the types of Kubernetes that properties have, e.g. an affinity. */
const MOST_DEPTH = 9;

/** What a user may give at one place. */
export interface Slot {
  /** From the arguments on, e.g. `['0', 'konnectivity', 'hostname']`; a list's items are `0`, a map's `*`. */
  readonly path: string[];
  readonly kind: 'text' | 'number' | 'boolean' | 'enum' | 'list' | 'map' | 'struct' | 'instance' | 'any';
  readonly optional: boolean;
}

/** Something that a user calls: a constructor, a factory or a method. */
export interface Entry {
  /** E.g. `new TcpProxyAddon`, `IngressController.traefik` or `TenantCharts#of`. */
  readonly name: string;
  /** Whether it is of a construct, so that errors have its path. */
  readonly isConstruct: boolean;
  readonly slots: Slot[];
}

/**
 * Everything public that takes values, by the compiler's own reading of src/index.ts: it needs no compiled package, and knows
 * types of other packages as well.
 */
export function publicApi(): Entry[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const program = ts.createProgram([join(ROOT, 'src/index.ts')], { ...options, noEmit: true, skipLibCheck: true, types: ['node'] });
  const checker = program.getTypeChecker();
  const index = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, 'src/index.ts'))!)!;
  return checker.getExportsOfModule(index)
    .map(symbol => symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
    .filter(symbol => symbol.flags & ts.SymbolFlags.Class)
    .flatMap(symbol => new ClassReader(checker, symbol).entries())
    .filter(({ slots }) => slots.length > 0)
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

class ClassReader {
  private readonly declaration: ts.ClassDeclaration;
  private readonly name: string;

  public constructor(private readonly checker: ts.TypeChecker, symbol: ts.Symbol) {
    this.declaration = symbol.valueDeclaration as ts.ClassDeclaration;
    this.name = symbol.name;
  }

  public entries(): Entry[] {
    const members = this.declaration.members.filter(member => isPublic(member));
    return members.flatMap(member => {
      if (ts.isConstructorDeclaration(member)) {
        return has(this.declaration, ts.SyntaxKind.AbstractKeyword) ? [] : [this.constructorEntry(member)];
      }
      if (ts.isMethodDeclaration(member) && !has(member, ts.SyntaxKind.AbstractKeyword)) {
        const separator = has(member, ts.SyntaxKind.StaticKeyword) ? '.' : '#';
        return [{ name: `${this.name}${separator}${member.name.getText()}`, isConstruct: separator === '#' && this.isConstruct, slots: this.slotsOf([...member.parameters]) }];
      }
      return [];
    });
  }

  /** Scope and id are cdk8s' own. */
  private constructorEntry({ parameters }: ts.ConstructorDeclaration): Entry {
    const { isConstruct } = this;
    return { name: `new ${this.name}`, isConstruct, slots: this.slotsOf(parameters.slice(isConstruct ? 2 : 0)) };
  }

  private get isConstruct(): boolean {
    return this.declaration.members.some(member => ts.isConstructorDeclaration(member) && member.parameters[0]?.name.getText() === 'scope');
  }

  private slotsOf(parameters: ts.ParameterDeclaration[]): Slot[] {
    return parameters.filter(({ dotDotDotToken }) => !dotDotDotToken).flatMap((parameter, i) =>
      this.walk(this.checker.getTypeAtLocation(parameter), [String(i)], Boolean(parameter.questionToken ?? parameter.initializer)));
  }

  private walk(given: ts.Type, path: string[], isOptional: boolean): Slot[] {
    const type = this.checker.getNonNullableType(given);
    const optional = isOptional || this.checker.typeToString(given).endsWith('| undefined');
    const slot = (kind: Slot['kind']): Slot => ({ path, kind, optional });
    if (path.length > MOST_DEPTH) {
      return [];
    }
    if (type.flags & ts.TypeFlags.Any) {
      return [slot('any')];
    }
    if (type.flags & ts.TypeFlags.EnumLike) {
      return [slot('enum')];
    }
    if (type.flags & ts.TypeFlags.BooleanLike) {
      return [slot('boolean')];
    }
    if (type.flags & ts.TypeFlags.StringLike) {
      return [slot('text')];
    }
    if (type.flags & ts.TypeFlags.NumberLike) {
      return [slot('number')];
    }
    if (type.isUnion()) {
      return [slot('any')];
    }
    if (this.checker.isArrayType(type)) {
      return [slot('list'), ...this.walk(this.checker.getTypeArguments(type as ts.TypeReference)[0], [...path, '0'], false)];
    }
    const values = this.checker.getIndexInfosOfType(type)[0];
    if (values) {
      return [slot('map'), ...this.walk(values.type, [...path, '*'], false)];
    }
    if (type.isClass() || type.symbol.flags & ts.SymbolFlags.Class || /^I[A-Z]/.test(type.symbol.name)) {
      return [slot('instance')];
    }
    return [slot('struct'), ...type.getProperties().flatMap(property =>
      this.walk(this.checker.getTypeOfSymbol(property), [...path, property.name], Boolean(property.flags & ts.SymbolFlags.Optional)))];
  }
}

/** Names that begin with `_` are marked as internal in the sources. */
function isPublic(member: ts.ClassElement): boolean {
  return !has(member, ts.SyntaxKind.PrivateKeyword) && !has(member, ts.SyntaxKind.ProtectedKeyword) && !member.name?.getText().startsWith('_');
}

function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(modifier => modifier.kind === kind);
}
