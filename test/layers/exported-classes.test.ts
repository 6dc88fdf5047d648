import { join } from 'path';
import * as ts from 'typescript';

// jsii goes up from a class to the next exported one, and gets lost at a generic class: in other languages a class of ours would be
// no ControlPlanePlatform, and without a word.
test('no exported class extends a generic one', () => {
  const index = join(__dirname, '..', '..', 'src', 'index.ts');
  const program = ts.createProgram([index], { module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types: ['node'] });
  const checker = program.getTypeChecker();
  const found: string[] = [];
  let classes = 0;
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)!)!)) {
    // eslint-disable-next-line no-bitwise
    let type: ts.Type | undefined = checker.getDeclaredTypeOfSymbol(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    for (let declaration = classOf(type); declaration; declaration = classOf(type)) {
      classes++;
      const heritage = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
      if (heritage?.typeArguments) {
        found.push(`${declaration.name?.text} extends ${heritage.getText()}`);
      }
      type = heritage && checker.getTypeAtLocation(heritage);
    }
  }
  expect(classes).toBeGreaterThan(80);
  expect(found).toEqual([]);
}, 60_000);

function classOf(type: ts.Type | undefined): ts.ClassDeclaration | undefined {
  return type?.symbol?.declarations?.find(ts.isClassDeclaration);
}
