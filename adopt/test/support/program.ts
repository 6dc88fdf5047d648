import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import * as cdk8s from 'cdk8s';
import { loadAll } from 'js-yaml';
import * as ts from 'typescript';
import { MODULES } from './adoptions';

const ROOT = join(__dirname, '..', '..', '..');

/** Every error of the compiler about programs, as strictly as the project compiles itself. */
export function typeErrors(programs: { readonly [name: string]: string }): string[] {
  // Beside the project's own files, where its packages are found.
  const folder = mkdtempSync(join(ROOT, 'adopt', 'test', '.programs-'));
  try {
    const files = Object.entries(programs).map(([name, text]) => {
      const path = join(folder, `${name}.ts`);
      writeFileSync(path, text);
      return path;
    });
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({
      compilerOptions: { ...config.compilerOptions, noEmit: true, rootDir: ROOT, paths: { 'cdk8s-hosted-control-plane': [join(ROOT, 'src', 'index.ts')] } },
      files,
    }, ts.sys, ROOT);
    const program = ts.createProgram(files, options);
    return files.flatMap(file => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
      .map(({ file, messageText }) => `${file?.fileName.split('/').pop()}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a program synthesizes, all objects of its management cluster. */
export function synthesized(text: string): any[] {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText, diagnostics } = ts.transpileModule(text, { compilerOptions, reportDiagnostics: true });
  if (diagnostics?.length) throw new Error(diagnostics.map(({ messageText }) => String(messageText)).join('\n'));
  const outdir = mkdtempSync(join(tmpdir(), 'adopted-'));
  const modules: { [name: string]: unknown } = {
    'cdk8s': { ...cdk8s, App: class extends cdk8s.App { public constructor() { super({ outdir }); } } },
    'cdk8s-hosted-control-plane': MODULES.library,
    'cdk8s-plus-30': MODULES.plus(),
  };
  try {
    new Function('require', 'exports', outputText)((name: string) => modules[name], {});
    return readdirSync(outdir).filter(file => file.endsWith('.yaml')).flatMap(file => loadAll(readFileSync(join(outdir, file), 'utf8')) as any[]);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
