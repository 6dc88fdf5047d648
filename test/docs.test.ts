import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import * as cdk8s from 'cdk8s';
import * as plus from 'cdk8s-plus-30';
import * as ts from 'typescript';
import * as library from '../src';

/*
 * Every TypeScript block of README.md and docs/ is compiled and synthesized. A block may use what its reader has by
 * then: the names below, and everything that the packages export. A block with imports is a whole program.
 */
const ROOT = join(__dirname, '..');
const GIVEN = {
  dns: "const dns = new TenantDns({ exposures, zones, target: DnsTarget.addresses(['10.0.0.50', 'fd00::50']) });",
  exposures: 'const exposures = [controlPlane.exposure];',
  zones: "const zones = ['k8s.example.com', 'konnectivity.example.com'];",
  app: 'const app = new App();',
  management: "const management = new Chart(app, 'management');",
  tenant: "const tenant = new Chart(app, 'tenant-01');",
  gateway: "const gateway = new SharedIngressGateway(management, 'shared-ingress', { namespace: 'shared-ingress' });",
  controlPlane: `const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {},
    platform: ControlPlanePlatform.PLATFORM(), controller: IngressController.haproxy(),
  });`,
};
const EXPORTS = {
  'cdk8s': Object.keys(cdk8s),
  'cdk8s-plus-30': Object.keys(plus).filter(name => !(name in cdk8s)),
  'cdk8s-hosted-control-plane': Object.keys(library),
  'fs': ['mkdirSync', 'writeFileSync'],
};

interface Block {
  readonly title: string;
  readonly path: string;
  readonly source: string;
}

const documents = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];
const blocks = documents.flatMap(blocksOf);

function blocksOf(document: string): Block[] {
  const lines = readFileSync(join(ROOT, document), 'utf8').split('\n');
  const found: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const indent = /^( *)```ts$/.exec(lines[i])?.[1];
    if (indent !== undefined) {
      const end = lines.indexOf(`${indent}\`\`\``, i);
      const source = complete(lines.slice(i + 1, end).join('\n'), document);
      found.push({ title: `${document}:${i + 1}`, path: join(ROOT, 'examples', 'docs', `${document.replace(/\W/g, '-')}-${i + 1}.ts`), source });
      i = end;
    }
  }
  return found;
}

/** Adds the given names that a block uses and does not declare, and the imports. */
function complete(block: string, document: string): string {
  if (/^import /m.test(block)) {
    return block;
  }
  const uses = (text: string, name: string) => new RegExp(`(?<![.\\w])${name}\\b(?!\\??:)|[{,] *${name} *[,}]`).test(text);
  const declares = (name: string) => new RegExp(`(?:const|let|function|class) ${name}\\b`).test(block);
  let body = block;
  for (const name of ['dns', 'exposures', 'zones', 'controlPlane', 'gateway', 'tenant', 'management', 'app'] as const) {
    if (!declares(name) && (uses(body, name) || name === 'app')) {
      body = `${GIVEN[name].replace('PLATFORM', document.includes('k0smotron') ? 'k0smotron' : 'kamaji')}\n${body}`;
    }
  }
  const imports = Object.entries(EXPORTS).map(([module, names]) => {
    const used = names.filter(name => new RegExp(`(?<![.\\w'])${name}\\b`).test(body) && !declares(name));
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${module}';`;
  });
  return [...imports, body, 'export {};'].join('\n');
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
  const sources = new Map(blocks.map(({ path, source }) => [path, source]));
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...sources.keys()], options, {
    ...host,
    fileExists: path => sources.has(path) || host.fileExists(path),
    readFile: path => sources.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => sources.has(path)
      ? ts.createSourceFile(path, sources.get(path)!, ts.ScriptTarget.ES2022)
      : host.getSourceFile(path, ...rest),
  });
  return new Map([...sources.keys()].map(path => {
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

describe('every code block of README.md and docs/', () => {
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

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replace(/ /g, '-');
}

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
