import { writeFileSync } from 'fs';
import { join, relative } from 'path';
import * as ts from 'typescript';

/*
 * Rewrites lib/index.js, as jsii has compiled it, so that a module is loaded when one of its exports is first used.
 *
 * jsii needs every public class to be reachable from src/index.ts, and compiles that to code that loads all of them:
 * who deploys one tenant on Kamaji would pay for the generated classes of every other system. What is exported comes
 * from lib/index.d.ts, so whatever src/index.ts exports is lazy.
 */
const LIB = join(__dirname, '..', 'lib');

/** An exported value: where it is defined, and its name there unless it is the whole module. */
interface LazyExport {
  readonly name: string;
  readonly module: string;
  readonly member?: string;
}

writeFileSync(join(LIB, 'index.js'), render(exportsOf(join(LIB, 'index.d.ts'))));

function exportsOf(declarations: string): LazyExport[] {
  const program = ts.createProgram([declarations], { module: ts.ModuleKind.Node16, types: [], noLib: true });
  const checker = program.getTypeChecker();
  const index = checker.getSymbolAtLocation(program.getSourceFile(declarations)!);
  if (!index) {
    throw new Error(`${declarations}: exports nothing. Compile the package first.`);
  }
  return checker.getExportsOfModule(index)
    .filter(exported => !exported.declarations?.some(ts.isTypeOnlyExportDeclaration))
    .map(exported => ({ name: exported.name, target: resolve(exported, checker) }))
    .filter(({ target }) => target.flags & ts.SymbolFlags.Value)
    .map(({ name, target }) => {
      const declaration = target.declarations![0];
      const module = `./${relative(LIB, declaration.getSourceFile().fileName).replace(/\.d\.ts$/, '')}`;
      return { name, module, member: ts.isSourceFile(declaration) ? undefined : target.name };
    })
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

function resolve(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function render(lazyExports: LazyExport[]): string {
  const load = ({ module, member }: LazyExport) => `require('${module}')${member === undefined ? '' : `.${member}`}`;
  return [
    '\'use strict\';',
    'Object.defineProperty(exports, \'__esModule\', { value: true });',
    'function lazy(name, load) {',
    '  Object.defineProperty(exports, name, {',
    '    configurable: true,',
    '    enumerable: true,',
    '    get() {',
    '      const value = load();',
    '      Object.defineProperty(exports, name, { configurable: true, enumerable: true, value });',
    '      return value;',
    '    },',
    '  });',
    '}',
    ...lazyExports.map(lazyExport => `lazy('${lazyExport.name}', () => ${load(lazyExport)});`),
    // Never runs. Node.js reads the names for `import { … } from` without running the file.
    `0 && (module.exports = { ${lazyExports.map(({ name }) => name).join(', ')} });`,
    '',
  ].join('\n');
}
