import { execFileSync } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import type { Measurement } from './synth/measure';

/*
 * Measures the synthesis of many tenants (Kamaji, HAProxy and a tcp-proxy; one management and one tenant chart each)
 * against the same objects written as plain ApiObjects, and writes bench/results/synth.json.
 *
 * Both contenders run in one go, by turns and in processes of their own. Times are CPU times, which other load on the
 * machine disturbs less than the clock on the wall (given too), and the best of the rounds counts: what disturbs a
 * measurement makes it slower, never faster. Files go to memory where Linux has a place for that, as the contenders
 * are not disks.
 */
const TENANTS = 1000;
const ROUNDS = 5;
/** Tenants that a process has made before growth is measured: the compiler of Node.js is slow at first. */
const WARMUP = 200;
const LINEAR = 'FOLDER_PER_CHART_FILE_PER_RESOURCE';
const DEFAULT = 'FILE_PER_CHART';
const RESULT = join(__dirname, 'results', 'synth.json');

type Contender = 'library' | 'raw';

const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bench-synth-'));
const template = join(folder, 'template.json');
try {
  prepare();
  report();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Compiles the contenders, so that they run without a transpiler, and makes sure that both write the same bytes. */
function prepare(): void {
  buildSync({
    entryPoints: ['library', 'raw', 'template'].map(name => join(__dirname, 'synth', `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    packages: 'external',
  });
  writeFileSync(template, node('template', String(2 * TENANTS)));
  const [library, raw] = (['library', 'raw'] as const).map(contender => {
    run(contender, 20, LINEAR);
    return contentOf(outdirOf(contender));
  });
  if (library !== raw || library === '') {
    throw new Error('The contenders write different manifests: correct bench/synth/template.ts.');
  }
}

function report(): void {
  const thousand = bestByTurns(TENANTS, LINEAR);
  const scaling = [100, 2 * TENANTS].map(tenants => ({ tenants, ...bestByTurns(tenants, LINEAR, WARMUP) }));
  const growth = (contender: Contender) => {
    const [hundred, twoThousand] = scaling.map(measured => measured[contender].cpuMs / measured.tenants);
    return round(twoThousand / hundred - 1);
  };
  const result = {
    ratioToRaw: {
      time: round(thousand.library.cpuMs / thousand.raw.cpuMs),
      wallTime: round(thousand.library.wallMs / thousand.raw.wallMs),
      memory: round(thousand.library.peakRssMb / thousand.raw.peakRssMb),
    },
    growth100to2000: growth('library'),
    growth100to2000OfRaw: growth('raw'),
    tenants1000: thousand,
    scaling,
    defaultOutputType: [10, 100, 400].map(tenants => ({ tenants, ...bestByTurns(tenants, DEFAULT) })),
    environment: { node: process.version, cpu: cpus()[0].model, cores: cpus().length, rounds: ROUNDS },
  };
  mkdirSync(join(RESULT, '..'), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));
}

/** Runs both contenders by turns; who begins changes with every round. */
function bestByTurns(tenants: number, outputType: string, warmup = 0): { [contender in Contender]: Measurement } {
  const runs: { [contender in Contender]: Measurement[] } = { library: [], raw: [] };
  for (let i = 0; i < ROUNDS; i++) {
    for (const contender of i % 2 === 0 ? ['library', 'raw'] as const : ['raw', 'library'] as const) {
      runs[contender].push(run(contender, tenants, outputType, warmup));
    }
  }
  return { library: best(runs.library), raw: best(runs.raw) };
}

function best(runs: Measurement[]): Measurement {
  const least = (key: keyof Measurement) => round(Math.min(...runs.map(measurement => measurement[key])));
  return { wallMs: least('wallMs'), cpuMs: least('cpuMs'), peakRssMb: least('peakRssMb') };
}

function run(contender: Contender, tenants: number, outputType: string, warmup = 0): Measurement {
  rmSync(outdirOf(contender), { recursive: true, force: true });
  return JSON.parse(node(contender, String(tenants), outputType, String(warmup), outdirOf(contender), template));
}

function outdirOf(contender: Contender): string {
  return join(folder, `dist-${contender}`);
}

/** Runs a compiled program. It is outside of the project, and its packages are in it. */
function node(program: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(folder, `${program}.cjs`), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, NODE_PATH: join(__dirname, '..', 'node_modules') },
  });
}

/** Names and contents of all files below a folder, in one order. */
function contentOf(path: string): string {
  return readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name)).sort()
    .map(file => `${file.slice(path.length)}\n${readFileSync(file, 'utf8')}`).join('\n');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
