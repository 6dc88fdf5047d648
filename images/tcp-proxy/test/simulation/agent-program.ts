import { join } from 'path';
import { compileFunction } from 'vm';
import { buildSync } from 'esbuild';
import { AwaitPlaces, COUNTER } from './await-places';

/** What `program.ts` of a process has. */
export interface AgentModule {
  readonly serve: (configuration: unknown) => Promise<void>;
  readonly gateway: (configuration: unknown) => Promise<void>;
  readonly sync: (configuration: unknown) => Promise<void>;
  readonly register: (configuration: unknown) => Promise<void>;
  readonly serveConfiguration: (values: Record<string, unknown>) => unknown;
  readonly gatewayConfiguration: (values: Record<string, unknown>) => unknown;
  readonly syncConfiguration: (values: Record<string, unknown>) => unknown;
  readonly registerConfiguration: (values: Record<string, unknown>) => unknown;
}

/** What a process finds instead of Node.js' own, by name. */
export type Globals = Readonly<Record<string, unknown>>;

/** Libraries without clocks, files and sockets: one copy serves all processes. */
const LIBRARIES = ['pino', 'prom-client', 'zod', 'zod/mini', 'js-yaml', '@peculiar/x509', 'reflect-metadata', 'commander'];
const SOURCES = join(__dirname, '..', '..', 'src');
const PARTS = ['serve', 'gateway', 'sync', 'register'];
const NAMES = [
  'require', 'module', 'exports', 'process', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance', 'Date', 'Math', 'console',
  'AbortSignal',
] as const;

let counted: AwaitPlaces | undefined;
let load: ((...values: unknown[]) => void) | undefined;

/** Counts what all processes wait for that are loaded from now on, by place in the sources. */
export function countAwaits(): AwaitPlaces {
  load = undefined;
  counted = new AwaitPlaces();
  return counted;
}

/** The agent as it is, in a world of its own: whatever of it asks for the time, for chance, files or sockets asks that world. */
export function loadAgent(require: (name: string) => unknown, globals: Globals): AgentModule {
  load ??= compileFunction(counted ? counted.instrument(bundle()) : bundle(), [...NAMES, COUNTER], { filename: 'agent.js' }) as (...values: unknown[]) => void;
  const module = { exports: {} };
  const values: Record<string, unknown> = { ...globals, require, module, exports: module.exports };
  load(...NAMES.map(name => values[name]), counted?.counter);
  return module.exports as AgentModule;
}

function bundle(): string {
  const lines = PARTS.flatMap(part => [`export * from './${part}/${part}';`, `export * from './${part}/configuration';`]);
  const { outputFiles } = buildSync({
    stdin: { contents: lines.join('\n'), resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: LIBRARIES,
    logLevel: 'warning',
    // The tsconfig says how jsii compiles.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  return outputFiles[0].text;
}
