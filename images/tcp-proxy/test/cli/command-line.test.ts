import { once } from 'events';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { AddressInfo, createServer } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { CertificateAuthority } from '../../../../test/support/certificates';
import { Agent } from '../support/agent';

jest.setTimeout(30_000);

async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const agent = new Agent({ args, env });
  const { code } = await agent.exited;
  return { code, stderr: agent.stderr, stdout: agent.output };
}

const RUN_DIR = mkdtempSync(join(tmpdir(), 'command-line-'));
const CA_FILE = join(RUN_DIR, 'ca.crt');
beforeAll(async () => writeFileSync(CA_FILE, (await CertificateAuthority.create()).certificate));
afterAll(() => rmSync(RUN_DIR, { recursive: true }));

const NO_HAPROXY = {
  TCP_PROXY_ENDPOINTS: 'none',
  TCP_PROXY_TLS_DIR: '/nowhere',
  TCP_PROXY_RUN_DIR: RUN_DIR,
  TCP_PROXY_CA_FILE: CA_FILE,
  TCP_PROXY_HAPROXY_CONFIG: '/dev/null',
  TCP_PROXY_HEALTH_ADDRESS: '127.0.0.1:0',
};

describe('a wrong configuration gives one line and exit code 2', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['an unknown flag', ['serve', '--bogus'], {}, "error: unknown option '--bogus'\n"],
    ['an unknown command', ['bogus'], {}, "error: unknown command 'bogus'\n"],
    ['a duration without a unit', ['serve', '--grace-period', '60'], NO_HAPROXY,
      'tcp-proxy: --grace-period "60": is not a duration, write it like 500ms, 60s or 1m30s\n'],
    ['a duration in the environment', ['serve'], { ...NO_HAPROXY, TCP_PROXY_GRACE_PERIOD: 'soon' },
      'tcp-proxy: --grace-period "soon": is not a duration, write it like 500ms, 60s or 1m30s\n'],
    ['a health address without a port', ['serve', '--health-address', '::'], { TCP_PROXY_ENDPOINTS: 'none' },
      'tcp-proxy: --health-address "::": is not address:port, write it like [::]:8404 or 127.0.0.1:8404\n'],
    ['an unknown way to handle endpoints', ['serve', '--endpoints', 'all'], {},
      'tcp-proxy: --endpoints "all": is not a way to handle default/kubernetes, choose owned or none\n'],
    ['an API server that is this proxy', ['serve', '--api-server', 'https://kubernetes.default.svc'],
      { TCP_PROXY_NAMESPACE: 'n', TCP_PROXY_POD_NAME: 'p', TCP_PROXY_HOST_IPS: '192.0.2.1' },
      'tcp-proxy: --api-server "https://kubernetes.default.svc": is not https://host:port, or is a name that works only through this proxy\n'],
    ['an address that is none, in a list', ['address', '--advertise-address', '172.20.0.1,nowhere'], {},
      'tcp-proxy: --advertise-address "nowhere": is not an IP address, write it like 172.20.0.1 or fd00::1\n'],
    ['the device lo', ['address', '--advertise-address', '172.20.0.1', '--device', 'lo'], {},
      'tcp-proxy: --device "lo": cannot hold the address, choose a dummy device of its own\n'],
    ['a run folder that cannot be written', ['serve', '--run-dir', '/proc/tcp-proxy'], NO_HAPROXY,
      'tcp-proxy: --run-dir "/proc/tcp-proxy": cannot be written (ENOENT), mount an emptyDir volume there\n'],
    ['a HAProxy that is not there', ['serve', '--haproxy-binary', '/nowhere/haproxy'], NO_HAPROXY,
      'tcp-proxy: --haproxy-binary "/nowhere/haproxy": cannot be run (ENOENT), name the HAProxy program\n'],
  ])('%s', async (_, args, env, stderr) => {
    expect(await run(args, env)).toMatchObject({ code: 2, stderr });
  });

  test('names every fault of the flags, and the variable of each that is missing', async () => {
    const { code, stderr } = await run(['serve', '--run-dir', 'run']);
    expect(code).toBe(2);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stderr).toContain('--run-dir "run": is not an absolute path, name a writable folder with a path that starts with /; ');
    expect(stderr).toContain('--pod-name is missing: give the name of this pod (or set TCP_PROXY_POD_NAME)');
  });
});

test('a health address in use gives one line and exit code 1', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(await run(['serve', '--health-address', `127.0.0.1:${port}`], NO_HAPROXY))
      .toMatchObject({ code: 1, stderr: `tcp-proxy: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n` });
  } finally {
    server.close();
  }
});

describe('--help', () => {
  test('lists the commands', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/serve \[options\] .*\n[\s\S]*address \[options\] /);
  });

  test.each(['serve', 'address'])('of %s tells each flag, its default and its environment variable', async command => {
    const { code, stdout } = await run([command, '--help']);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(match => match[1]);
    expect(flags.length).toBeGreaterThan(3);
    for (const flag of flags) expect(text).toContain(`env: TCP_PROXY_${flag.slice(2).toUpperCase().replace(/-/g, '_')})`);
  });
});
