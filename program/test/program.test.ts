import { execFile } from 'child_process';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { version } from '../../package.json';
import { COMMANDS } from '../src/commands';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-'));
  buildSync({ entryPoints: [join(__dirname, '..', 'src', 'main.ts')], outfile: join(folder, 'program.js'), bundle: true, platform: 'node', logLevel: 'warning' });
});
afterAll(() => rmSync(folder, { recursive: true }));

function program(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => execFile(process.execPath, [join(folder, 'program.js'), ...args], (error, stdout, stderr) =>
    resolve({ code: error ? Number(error.code) : 0, stdout, stderr })));
}

test('the help of the package has each command with its summary', async () => {
  const { code, stdout } = await program('--help');
  expect(stdout).toMatch(/^Usage: cdk8s-hosted-control-plane /);
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toMatch(new RegExp(`^  ${name} .* ${summary.split(' ').slice(0, 2).join(' ')}`, 'm'));
  }
  expect(code).toBe(0);
});

test('says the version of the package', async () => {
  expect(await program('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('no command at all shows the help, and is wrong usage', async () => {
  expect(await program()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: /) });
});

test('a word that is no command is told, with what is near', async () => {
  expect(await program('docter')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/unknown command 'docter'[^]*doctor/) });
});

test.each([
  [['--surprise'], 'unknown option \'--surprise\'', ''],
  [['init', 'a', 'b'], 'too many arguments', ' init'],
  [['doctor', 'manifests'], 'missing required argument \'path\'', ' doctor manifests'],
  [['doctor', 'move', 'tenants/a'], 'required option \'--from <path>\' not specified', ' doctor move'],
])('a wrong command line is told where the right one is: %j', async (args, fault, command) => {
  const { code, stdout, stderr } = await program(...args);
  expect(stderr).toContain(fault);
  expect(stderr).toMatch(new RegExp(`\nSee cdk8s-hosted-control-plane${command} --help\n$`));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each(COMMANDS.map(({ name }) => name))('the command %s goes by the name that the table has, and has a help', async name => {
  expect(COMMANDS.find(command => command.name === name)!.module().name()).toBe(name);
  expect(await program(name, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: cdk8s-hosted-control-plane ${name} `) });
});

test('a fault of a command begins with its name', async () => {
  expect(await program('doctor', 'manifests', '/no/such/folder')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^doctor: /) });
});
