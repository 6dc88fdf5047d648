import { execFileSync } from 'child_process';
import { existsSync, mkdirSync, writeFileSync } from 'fs';
import { cpus } from 'os';
import { join } from 'path';

/*
 * Measures what it costs to load the compiled package against loading cdk8s-plus-30, which it stands on, and writes
 * bench/results/load.json.
 *
 * Each load is that of a process of its own, without the start of Node.js. The contenders run by turns, and who begins
 * changes. As the package loads a module when one of its exports is first used, the cost of `require` alone would
 * flatter it: `oneTenant` also loads all that the example kamaji-haproxy uses, `everything` all that there is.
 */
const ROUNDS = 41;
const ROOT = join(__dirname, '..');
const RESULT = join(__dirname, 'results', 'load.json');
const PACKAGE = `const library = require(${JSON.stringify(ROOT)});`;

const CONTENDERS = {
  cdk8sPlus: 'require("cdk8s-plus-30");',
  package: PACKAGE,
  oneTenant: `${PACKAGE}
    require("cdk8s").App;
    [library.IngressExposedControlPlane, library.TcpProxyAddon];
    [library.ControlPlanePlatform.kamaji(), library.IngressController.haproxy()];`,
  everything: `${PACKAGE} Object.values(library);`,
};

type Contender = keyof typeof CONTENDERS;

interface Load {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakRssMb: number;
}

const names = Object.keys(CONTENDERS) as Contender[];

if (!existsSync(join(ROOT, 'lib', 'index.js'))) {
  throw new Error('lib/index.js: is missing, and the compiled package is what is measured. Run "npx projen compile" first.');
}
const loads = new Map(names.map(name => [name, [] as Load[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (let i = 0; i < names.length; i++) {
    const name = names[(round + i) % names.length];
    loads.get(name)!.push(load(CONTENDERS[name]));
  }
}

const ratiosTo = (key: keyof Load) => Object.fromEntries(names.slice(1).map(name => {
  const ratios = loads.get(name)!.map((measured, round) => measured[key] / loads.get('cdk8sPlus')![round][key]);
  return [name, rounded(median(ratios))];
}));
const result = {
  ratioToCdk8sPlus: { cpu: ratiosTo('cpuMs'), wall: ratiosTo('wallMs'), memory: ratiosTo('peakRssMb') },
  median: Object.fromEntries(names.map(name => [name, medianLoad(loads.get(name)!)])),
  environment: { node: process.version, cpu: cpus()[0].model, cores: cpus().length, rounds: ROUNDS },
};
mkdirSync(join(RESULT, '..'), { recursive: true });
writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify(result, null, 2));

function load(program: string): Load {
  const measured = `
    const start = performance.now();
    const before = process.cpuUsage();
    { ${program} }
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({
      cpuMs: (user + system) / 1000,
      wallMs: performance.now() - start,
      peakRssMb: process.resourceUsage().maxRSS / 1024,
    }));`;
  return JSON.parse(execFileSync(process.execPath, ['--eval', measured], { cwd: ROOT, encoding: 'utf8' }));
}

function medianLoad(measured: Load[]): Load {
  const of = (key: keyof Load) => rounded(median(measured.map(each => each[key])));
  return { cpuMs: of('cpuMs'), wallMs: of('wallMs'), peakRssMb: of('peakRssMb') };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
