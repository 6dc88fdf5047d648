import { ChildProcess, spawn, spawnSync } from 'child_process';
import { once } from 'events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { eventually } from '../data-path/support/eventually';

const ROOT = join(__dirname, '..', '..');
const READY_MS = 120_000;

jest.setTimeout(180_000);

/** Where the demonstration makes its files; it has to leave nothing. */
let folder: string;
beforeEach(() => folder = mkdtempSync(join(tmpdir(), 'e2e-demo-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the demonstration takes every path with real API servers, is healthy in the eyes of the doctor, heals a fault, and ends what it started', async () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'demo', '--', '--once'], { encoding: 'utf8', env: { ...process.env, TMPDIR: folder } });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('paths did what they should') });
  expect(stdout).toContain('kube-apiserver and etcd');
  expectHealth(stdout);
  await expectNothingLeft();
});

test('so does it with stand-ins for API servers', async () => {
  const { status, stdout, stderr } = spawnSync(...demo('--once'));
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/stand-ins.*paths did what they should/s) });
  expectHealth(stdout);
  await expectNothingLeft();
});

describe.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const)('the demonstration that gets %s', (signal, code) => {
  test.each([
    ['at the start', 'Starting', code],
    ['between programs', 'shared ingress', code],
    ['when it is ready', 'Ctrl-C ends everything', 0],
  ])('%s: leaves no folder and no process', async (_, text, expected) => {
    const child = spawn(...demo());
    await said(child, text);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([expected, null]);
    await expectNothingLeft();
  });
});

test('the demonstration whose npm is told to end leaves no folder and no process', async () => {
  const { KUBEBUILDER_ASSETS: _, ...env } = process.env;
  const child = spawn('npm', ['run', '--silent', 'demo'], { cwd: ROOT, env: { ...env, TMPDIR: folder } });
  await said(child, 'Ctrl-C ends everything');
  child.kill('SIGTERM');
  await once(child, 'exit');
  await expectNothingLeft();
});

test('the demonstration that fails leaves no folder and no process', async () => {
  const [program, args, options] = demo('--once');
  const { status, stderr } = spawnSync(program, args, { ...options, env: { ...options.env, KUBEBUILDER_ASSETS: '/nowhere' } });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('/nowhere') });
  await expectNothingLeft();
});

/** The program itself, which gets signals, with stand-ins. */
function demo(...args: string[]) {
  const { KUBEBUILDER_ASSETS: _, ...env } = process.env;
  const tsx = { TMPDIR: folder, TSX_TSCONFIG_PATH: join(ROOT, 'examples', 'tsconfig.json') };
  return [process.execPath, ['--import', 'tsx', join(ROOT, 'demo', 'main.ts'), ...args], { cwd: ROOT, encoding: 'utf8' as const, env: { ...env, ...tsx } }] as const;
}

function said(child: ChildProcess, text: string): Promise<unknown> {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', part => output += part);
  return eventually(() => {
    if (child.exitCode !== null) throw new Error(output);
    return output.includes(text);
  }, READY_MS);
}

function expectHealth(stdout: string): void {
  expect(stdout).toMatch(/✓ kill -9 \d+, .*: its agent starts another, and a pod is answered again after \d+ ms/);
  expect(stdout).toMatch(/No disagreement: \d+ objects in 3 files, 2 control planes\./);
  expect(stdout).toMatch(/tenant-01\.k8s\.example\.com:\d+: Healthy\.\n.*tenant-02\.k8s\.example\.com:\d+: Healthy\.\n +2 tenants: all healthy\./);
}

/** The last of its programs may take a moment to end. */
async function expectNothingLeft(): Promise<void> {
  // tsx keeps what it has compiled.
  const left = () => [...readdirSync(folder).filter(name => !name.startsWith('tsx-') && name !== 'node-compile-cache'), ...running()];
  await eventually(() => left().length === 0).catch(() => undefined);
  expect(left()).toEqual([]);
}

/** Programs that were started with files of the demonstration. */
function running(): string[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid => {
    try {
      const words = readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
      return words.includes(folder) ? [words.replace(/\0/g, ' ')] : [];
    } catch {
      return [];
    }
  });
}
