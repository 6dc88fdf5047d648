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
    entryPoints: [join(__dirname, '..', '..', 'program', 'src', 'main.ts')],
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

function doctor(...args: string[]): Promise<{ code: number; result: any; hops: { [hop: string]: { status: string; detail: string } } }> {
  const program = [join(folder, 'doctor.js'), 'doctor', 'live', ...args, '--output', 'json'];
  const env = { ...process.env, PATH: `${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}` };
  return new Promise((resolve, reject) => execFile(process.execPath, program, { env }, (error, stdout, stderr) => {
    if (stdout === '') return reject(new Error(stderr));
    const result = JSON.parse(stdout);
    const hops = Object.fromEntries(result.tenants[0].hops.map((hop: { hop: string }) => [hop.hop, hop]));
    return resolve({ code: error ? Number(error.code) : 0, result, hops });
  }));
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

test('the doctor reads control planes of a real cluster with kubectl, and checks all of them', async () => {
  const { host } = EXPOSURE.api;
  await cluster.apply([{
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tenantcontrolplanes.kamaji.clastix.io' },
    spec: {
      group: 'kamaji.clastix.io',
      names: { kind: 'TenantControlPlane', plural: 'tenantcontrolplanes' },
      scope: 'Namespaced',
      versions: [{
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      }],
    },
  }]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/tenantcontrolplanes.kamaji.clastix.io', '--timeout=60s']);
  await cluster.apply(['default', 'kube-system'].map(namespace => ({
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'TenantControlPlane',
    metadata: { name: 'tenant-01', namespace },
    spec: { controlPlane: { ingress: { hostname: `${host}:443` } } },
  })));
  const admin = cluster.file('admin.conf');
  await expect(doctor('--kubeconfig', admin)).rejects.toThrow(/2 control planes are in there: default\/tenant-01 \(.*give --tenant <namespace\/name>, or --all/);
  const { code, result } = await doctor('--kubeconfig', admin, '--all');
  expect(result.tenants).toMatchObject(['default', 'kube-system'].map(namespace => ({ namespace, name: 'tenant-01', system: 'Kamaji', target: `${host}:443`, healthy: true })));
  expect(code).toBe(0);
});
