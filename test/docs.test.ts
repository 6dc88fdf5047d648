import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import * as cdk8s from 'cdk8s';
import * as ts from 'typescript';
import { START_HERE } from '../scripts/api-map';
import { anchorOf } from '../scripts/website/anchor';
import { codeBlocks, examplesIn, programOf } from '../scripts/website/code-blocks';
import * as library from '../src';

/*
 * Every TypeScript block of README.md and docs/, and every @example of a docstring, is compiled and synthesized; scripts/website/code-blocks.ts makes a program of it.
 */
const ROOT = join(__dirname, '..');

interface Block {
  readonly title: string;
  readonly path: string;
  readonly source: string;
}

const documents = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.startsWith('imports')).map(name => `src/${name}`).sort();
const examples = sources.flatMap(file => blocksOf(file, examplesIn));
const blocks = [...documents.flatMap(file => blocksOf(file, codeBlocks)), ...examples];

function blocksOf(file: string, read: typeof codeBlocks): Block[] {
  return read(file, readFileSync(join(ROOT, file), 'utf8')).map(block => ({
    title: `${file}:${block.line + 1}`,
    path: join(ROOT, 'examples', 'docs', `${file.replace(/\W/g, '-')}-${block.line + 1}.ts`),
    source: programOf(block),
  }));
}

function compilerOptions(): ts.CompilerOptions {
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'examples', 'tsconfig.json'), {}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: diagnostic => { throw new Error(String(diagnostic.messageText)); },
  })!;
  return { ...config.options, noUnusedLocals: false, noUnusedParameters: false };
}

/** What the compiler says of each block, in one run for all. */
function compile(): Map<string, string[]> {
  const options = compilerOptions();
  const texts = new Map(blocks.map(({ path, source }) => [path, source]));
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: path => texts.has(path) || host.fileExists(path),
    readFile: path => texts.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => texts.has(path)
      ? ts.createSourceFile(path, texts.get(path)!, ts.ScriptTarget.ES2022)
      : host.getSourceFile(path, ...rest),
  });
  return new Map([...texts.keys()].map(path => {
    const file = program.getSourceFile(path)!;
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return [path, diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))];
  }));
}

/** Runs a block in the current folder and gives its app. */
function run({ source }: Block): cdk8s.App {
  const { outputText } = ts.transpileModule(`${source}\nexport { app as appOfBlock };`, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported: { appOfBlock?: cdk8s.App } = {};
  const load = (module: string) => module === 'cdk8s-hosted-control-plane' ? library : jest.requireActual(module);
  new Function('require', 'exports', outputText)(load, exported);
  return exported.appOfBlock!;
}

describe('every code block of README.md and docs/, and every @example', () => {
  const cwd = process.cwd();
  let folder: string;
  let faults: Map<string, string[]>;
  beforeAll(() => {
    faults = compile();
    folder = mkdtempSync(join(tmpdir(), 'docs-'));
    process.chdir(folder);
    jest.spyOn(process, 'emitWarning').mockImplementation();
    // What a block asserts holds; by itself it would only be printed.
    jest.spyOn(console, 'assert').mockImplementation(condition => expect(condition).toBe(true));
  }, 120_000);
  afterAll(() => {
    jest.restoreAllMocks();
    process.chdir(cwd);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(blocks.map(block => [block.title, block] as const))('%s compiles', (_title, { path }) => {
    expect(faults.get(path)).toEqual([]);
  });

  test.each(blocks.map(block => [block.title, block] as const))('%s synthesizes', (_title, block) => {
    const app = run(block);
    expect(() => app.synth()).not.toThrow();
  });
});

test.each([...documents, 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'images/tcp-proxy/README.md'])('the links of %s lead somewhere', document => {
  const links = [...readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter(target => !/^https?:/.test(target));
  const dead = links.filter(target => {
    const [path, anchor] = target.split('#');
    const file = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
    return !existsSync(file)
      || (anchor !== undefined && ![...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].some(([, heading]) => anchorOf(heading) === anchor));
  });
  expect(dead).toEqual([]);
});

test.each(START_HERE)('%s, from which users start, has an @example', name => {
  const declaration = new RegExp(`@example\\n(?: \\*(?!/).*\\n)+ \\*/\\nexport (?:abstract )?class ${name}\\b`);
  expect(sources.filter(file => declaration.test(readFileSync(join(ROOT, file), 'utf8')))).toHaveLength(1);
});
