import { spawnSync } from 'child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { built } from './packages';

/*
 * Programs of the website in other languages, compiled against the packages as users have them; those in Python are run. Each answer has, by program, the first complaint;
 * undefined where there is none.
 */
export type Complaints = readonly (string | undefined)[];

const MAX_BUFFER = 256 * 2 ** 20;

/** Each in a folder of its own, all by one interpreter, as it starts the library once. */
export function runPython(programs: readonly string[], folder: string): Complaints {
  mkdirSync(folder, { recursive: true });
  programs.forEach((text, i) => writeFileSync(join(folder, `p${i}.py`), text));
  writeFileSync(join(folder, 'all.py'), [
    'import json, os, sys, traceback',
    'complaints = []',
    'for number in range(int(sys.argv[1])):',
    '    place = os.path.join(sys.argv[2], "out", str(number))',
    '    os.makedirs(place)',
    '    os.environ["CDK8S_OUTDIR"] = place',
    '    file = os.path.join(sys.argv[2], f"p{number}.py")',
    '    try:',
    '        exec(compile(open(file).read(), file, "exec"), {"__name__": "__main__"})',
    '        complaints.append(None)',
    '    except BaseException as error:',
    '        complaints.append(f"{type(error).__name__}: {error}".strip().split("\\n")[0][:200])',
    'print("\\n" + json.dumps(complaints))',
  ].join('\n'));
  const { stdout, stderr, status } = spawnSync(built('PYTHON'), [join(folder, 'all.py'), String(programs.length), folder], { cwd: folder, encoding: 'utf8', maxBuffer: MAX_BUFFER, env: process.env });
  if (status !== 0) throw new Error(`Python: ${stderr.slice(-2000)}`);
  return (JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as (string | null)[]).map(each => each ?? undefined);
}

/** Each as a package of one module; the complaints of all packages are told at once. */
export function compileGo(programs: readonly string[], folder: string): Complaints {
  programs.forEach((text, i) => {
    mkdirSync(join(folder, `p${i}`), { recursive: true });
    writeFileSync(join(folder, `p${i}`, 'main.go'), goProgram(text));
  });
  const app = join(built('GO_APP'), '..');
  cpSync(join(app, 'go.mod'), join(folder, 'go.mod'));
  cpSync(join(app, 'go.sum'), join(folder, 'go.sum'));
  const { stdout, stderr } = spawnSync('go', ['build', '-mod=mod', '-gcflags=-e', './...'], { cwd: folder, encoding: 'utf8', maxBuffer: MAX_BUFFER });
  const complaints = programs.map((_, i) => new RegExp(`^p${i}/main\\.go:[\\d:]+ (.*)$`, 'm').exec(stderr)?.[1]);
  if (stderr !== '' && complaints.every(each => each === undefined)) throw new Error(`go build: ${stdout}${stderr.slice(0, 2000)}`);
  return complaints;
}

/** The statements of `main`, with what Go wants beside them: every variable is used. */
function goProgram(text: string): string {
  const imports = text.match(/^import ".*"$/gm) ?? [];
  const body = text.replace(/^import ".*"$/gm, '');
  const variables = [...body.matchAll(/^(\w+) := /gm)].map(([, name]) => `\t_ = ${name}`);
  return ['package main', '', ...imports, '', 'func main() {', body, ...variables, '}', ''].join('\n');
}

/** Each as a class of its own. A compiler that finds wrong syntax looks no further, so those files go first. */
export function compileJava(programs: readonly string[], folder: string): Complaints {
  programs.forEach((text, i) => {
    mkdirSync(join(folder, `p${i}`), { recursive: true });
    writeFileSync(join(folder, `p${i}`, 'Main.java'), javaProgram(text, `p${i}`));
  });
  const classpath = readdirSync(built('JAVA_REPOSITORY'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.jar') && /^(org\/cdk8s|software|io\/github\/cdk8s-hosted-control-plane|com\/fasterxml|org\/jetbrains|javax)\//.test(file)).map(file => join(built('JAVA_REPOSITORY'), file)).join(':');
  const complaints = new Map<number, string>();
  for (;;) {
    const left = programs.map((_, i) => i).filter(i => !complaints.has(i));
    const args = ['-proc:none', '-Xmaxerrs', '100000', '-d', join(folder, 'classes'), '-cp', classpath, ...left.map(i => join(folder, `p${i}`, 'Main.java'))];
    const { status, stderr } = spawnSync('javac', args, { encoding: 'utf8', maxBuffer: MAX_BUFFER });
    if (status === 0) return programs.map((_, i) => complaints.get(i));
    const found = [...stderr.matchAll(/\/p(\d+)\/Main\.java:\d+: error: (.*)/g)].filter(([, i]) => !complaints.has(Number(i)));
    if (found.length === 0) throw new Error(`javac: ${stderr.slice(0, 2000)}`);
    found.reverse().forEach(([, i, complaint]) => complaints.set(Number(i), complaint));
  }
}

function javaProgram(text: string, name: string): string {
  const imports = text.match(/^import [\w.]+;$/gm) ?? [];
  const body = text.replace(/^import [\w.]+;$/gm, '');
  return [`package ${name};`, ...imports, 'class Main {', 'public static void main(String[] args) throws Exception {', body, '}', '}', ''].join('\n');
}
