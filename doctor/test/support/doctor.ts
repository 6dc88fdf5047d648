import { execFile } from 'child_process';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { buildSync } from 'esbuild';

let bundle: string | undefined;

afterAll(() => {
  if (bundle) rmSync(dirname(bundle), { recursive: true });
  bundle = undefined;
});

/** The command of the package, as it has it. */
function doctorBundle(): string {
  if (!bundle) {
    bundle = join(mkdtempSync(join(tmpdir(), 'doctor-bundle-')), 'hosted-control-plane');
    const entryPoint = join(__dirname, '..', '..', '..', 'program', 'src', 'main.ts');
    buildSync({ entryPoints: [entryPoint], outfile: bundle, bundle: true, minify: true, platform: 'node', target: 'node20', logLevel: 'warning' });
  }
  return bundle;
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Whether nobody reads what it writes. */
  readonly deaf?: boolean;
}

/** Runs `doctor` with the arguments. */
export function doctor(args: string[], env: Record<string, string> = {}, { cwd, deaf }: RunOptions = {}): Promise<Run> {
  return new Promise(resolve => {
    const options = { cwd, env: { PATH: process.env.PATH, ...env }, maxBuffer: 64 * 2 ** 20 };
    const child = execFile(process.execPath, [doctorBundle(), 'doctor', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }));
    if (deaf) child.stdout!.destroy();
  });
}
