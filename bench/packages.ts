import { execFileSync } from 'child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'fs';
import { cpus, homedir } from 'os';
import { join } from 'path';

/*
 * Measures how large the packages are, and what it costs to load them beside those of cdk8s, and writes bench/results/packages.json.
 * scripts/languages.sh builds what is measured: run "npm run test:languages" first.
 *
 * Each load is that of a process of its own, without the start of Node.js or Python, and the contenders run by turns.
 */
const ROUNDS = 21;
const ROOT = join(__dirname, '..');
const BUILT = join(ROOT, 'dist', 'languages');
const RESULT = join(__dirname, 'results', 'packages.json');

/** Milliseconds of loading, as the program prints them. */
type Contender = () => number;

const NODE = (code: string): Contender => () => printed(process.execPath, ['-e', `const start = process.hrtime.bigint(); ${code}; console.log(Number(process.hrtime.bigint() - start) / 1e6);`]);
const PYTHON = (module: string): Contender => () => printed(python(), ['-c', `import time; start = time.perf_counter(); import ${module}; print((time.perf_counter() - start) * 1000)`]);

const LIBRARY = JSON.stringify(ROOT);
const CONTENDERS: { readonly [name: string]: Contender } = {
  'node: cdk8s': NODE('require("cdk8s")'),
  'node: ours, before an export is used': NODE(`require(${LIBRARY})`),
  'node: ours, everything': NODE(`Object.values(require(${LIBRARY}))`),
  'python: cdk8s': PYTHON('cdk8s'),
  'python: cdk8s_plus_30': PYTHON('cdk8s_plus_30'),
  'python: ours': PYTHON('cdk8s_hosted_control_plane'),
};

const [archive, wheel, jar] = [['js', '.tgz'], ['wheel', '.whl'], ['java/target', '0.0.0.jar']].map(([folder, ending]) => fileIn(join(BUILT, folder), ending));
const times = new Map(Object.keys(CONTENDERS).map(name => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, contender] of Object.entries(CONTENDERS)) {
    times.get(name)!.push(contender());
  }
}
const result = {
  kilobytes: { 'npm package': kilobytes(archive), 'npm package, unpacked': unpacked(archive), 'wheel': kilobytes(wheel), 'jar': kilobytes(jar) },
  medianMs: Object.fromEntries([...times].map(([name, each]) => [name, Math.round(each.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)])])),
  // What others on the machine add is in no minimum.
  leastMs: Object.fromEntries([...times].map(([name, each]) => [name, Math.round(Math.min(...each))])),
  environment: {
    node: process.version, python: execFileSync(python(), ['--version'], { encoding: 'utf8' }).trim(), cpu: cpus()[0].model, cores: cpus().length, rounds: ROUNDS,
  },
};
mkdirSync(join(RESULT, '..'), { recursive: true });
writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify(result, null, 2));

function printed(program: string, args: string[]): number {
  return Number(execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(BUILT, 'site-packages') } }));
}

/** The interpreter that scripts/languages.sh made, with the packages of cdk8s. */
function python(): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'cdk8s-hosted-control-plane');
  const version = (name: string) => JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
  const interpreter = join(cache, `python-${['jsii-pacmak', 'cdk8s', 'cdk8s-plus-30', 'constructs'].map(version).join('-')}`, 'bin', 'python');
  if (!existsSync(interpreter)) throw new Error(`${interpreter}: is missing. Run "npm run test:languages" first.`);
  return interpreter;
}

function fileIn(folder: string, ending: string): string {
  const found = existsSync(folder) ? readdirSync(folder).find(name => name.endsWith(ending)) : undefined;
  if (found === undefined) throw new Error(`${folder}: has no *${ending}. Run "npm run test:languages" first.`);
  return join(folder, found);
}

function kilobytes(file: string): number {
  return Math.round(statSync(file).size / 1024);
}

/** The sum of the files in an archive. */
function unpacked(file: string): number {
  const lines = execFileSync('tar', ['--list', '--verbose', '--gzip', '--file', file], { encoding: 'utf8' }).trim().split('\n');
  return Math.round(lines.map(line => Number(line.split(/\s+/)[2])).reduce((sum, size) => sum + size, 0) / 1024);
}
