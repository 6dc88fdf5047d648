import { join, relative } from 'path';
import * as ts from 'typescript';

/*
 * What a controller or a platform can do is asked of it: nobody looks at its type, or at its class, to know. A subclass of a user's,
 * and a new file of this library, then behaves everywhere like those that are here.
 */
const ROOT = join(__dirname, '..', '..');
const KINDS = {
  IngressController: { room: 'src/controllers/', file: 'src/controllers/ingress-controller.ts' },
  ControlPlanePlatform: { room: 'src/platforms/', file: 'src/platforms/control-plane-platform.ts' },
};

/** What a program does that asks for a name where it should ask for a capability. */
function dispatches(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles().filter(({ fileName, isDeclarationFile }) => fileName.startsWith(join(ROOT, 'src')) && !isDeclarationFile)) {
    const path = relative(ROOT, source.fileName);
    const report = (node: ts.Node, what: string) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1}: ${what}`);
    };
    const visit = (node: ts.Node): void => {
      const read = ts.isPropertyAccessExpression(node) && node.name.text === 'type' ? checker.getTypeAtLocation(node.expression)
        : ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression) && node.argumentExpression.text === 'type' ? checker.getTypeAtLocation(node.expression)
          : ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'type' ? checker.getTypeAtLocation(node.parent)
            : undefined;
      const kind = read && kindOf(read, checker);
      if (kind && path !== KINDS[kind].file) {
        report(node, `reads the type of an ${kind}`);
      }
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) {
        const made = checker.getTypeAtLocation(node.right).getConstructSignatures()[0]?.getReturnType();
        const asked = made && kindOf(made, checker);
        if (asked && !path.startsWith(KINDS[asked].room)) {
          report(node, `asks for the class of an ${asked}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** Which of the kinds a type is or extends. */
function kindOf(type: ts.Type, checker: ts.TypeChecker): keyof typeof KINDS | undefined {
  for (const part of type.isUnionOrIntersection() ? type.types : [type]) {
    const target = checker.getApparentType(part);
    const name = target.symbol?.name as keyof typeof KINDS;
    if (name in KINDS) {
      return name;
    }
    const base = (target.getBaseTypes() ?? []).map(parent => kindOf(parent, checker)).find(Boolean);
    if (base) {
      return base;
    }
  }
  return undefined;
}

function programOf(files: { [name: string]: string } = {}): ts.Program {
  const { options } = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), {}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: diagnostic => { throw new Error(String(diagnostic.messageText)); },
  })!;
  const sources = new Map(Object.entries(files).map(([name, text]) => [join(ROOT, name), text]));
  const host = ts.createCompilerHost(options);
  return ts.createProgram([join(ROOT, 'src/index.ts'), ...sources.keys()], options, {
    ...host,
    fileExists: path => sources.has(path) || host.fileExists(path),
    readFile: path => sources.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => sources.has(path)
      ? ts.createSourceFile(path, sources.get(path)!, ts.ScriptTarget.ES2022, true)
      : host.getSourceFile(path, ...rest),
  });
}

test('nothing depends on the type or class of a controller or platform', () => {
  expect(dispatches(programOf())).toEqual([]);
}, 120_000);

test('and whatever does is found', () => {
  const found = dispatches(programOf({
    'src/report/dispatch.ts': [
      "import type { IngressController } from '../controllers/ingress-controller';",
      "import { TraefikController } from '../controllers/traefik';",
      "import type { PlatformBindOptions, ControlPlanePlatform } from '../platforms/control-plane-platform';",
      "export const byField = ({ controller }: PlatformBindOptions) => controller.type === 'traefik';",
      "export const byPattern = ({ type }: IngressController) => type === 'traefik';",
      "export const byText = (controller?: TraefikController) => controller?.['type'];",
      'export const byClass = (controller: IngressController) => controller instanceof TraefikController;',
      'export const byPlatform = (platform: ControlPlanePlatform | undefined) => { const { type: kind } = platform!; return kind; };',
    ].join('\n'),
  }));
  expect(found).toEqual([
    'src/report/dispatch.ts:4: reads the type of an IngressController',
    'src/report/dispatch.ts:5: reads the type of an IngressController',
    'src/report/dispatch.ts:6: reads the type of an IngressController',
    'src/report/dispatch.ts:7: asks for the class of an IngressController',
    'src/report/dispatch.ts:8: reads the type of an ControlPlanePlatform',
  ]);
}, 120_000);
