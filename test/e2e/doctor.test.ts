import { execFile } from 'child_process';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { Cluster, EXPOSURE } from './support/cluster';
import { stopParts } from '../data-path/support/parts';

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'e2e-doctor-'));
  buildSync({
    entryPoints: [join(__dirname, '..', '..', 'doctor', 'src', 'main.ts')],
    outfile: join(folder, 'doctor.js'),
    bundle: true,
    platform: 'node',
    logLevel: 'warning',
  });
  cluster = await Cluster.start();
});
afterAll(async () => {
  await stopParts();
  rmSync(folder, { recursive: true });
});

function doctor(...args: string[]): Promise<{ code: number; hops: { [hop: string]: { status: string; detail: string } } }> {
  return new Promise(resolve => execFile(process.execPath, [join(folder, 'doctor.js'), 'doctor', ...args, '--output', 'json'], (error, stdout) => resolve({
    code: error ? Number(error.code) : 0,
    hops: Object.fromEntries(JSON.parse(stdout).hops.map((hop: { hop: string }) => [hop.hop, hop])),
  })));
}

test('the doctor finds nothing wrong with a real API server behind a passthrough ingress', async () => {
  const { code, hops } = await doctor(EXPOSURE.api.host, '--ca-file', cluster.caFile);
  for (const hop of ['dns', 'tcp', 'sni', 'chain', 'sans', 'alpn', 'version', 'readyz', 'no-sni', 'unknown-sni', 'in-cluster-sni']) {
    expect(hops[hop]).toMatchObject({ status: 'ok' });
  }
  expect(hops.version.detail).toMatch(/^the API server answers: v1\./);
  expect(code).toBe(0);
});

test('the doctor tells a real API server from a konnectivity server', async () => {
  const { code, hops } = await doctor('localhost', '--port', String(cluster.port), '--ca-file', cluster.caFile,
    '--konnectivity-host', EXPOSURE.api.host, '--konnectivity-port', String(cluster.port));
  expect(hops['konnectivity-grpc']).toMatchObject({ status: 'failed', detail: 'the API server answers in its place' });
  expect(code).toBe(1);
});
