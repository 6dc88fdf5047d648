import { execFileSync } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'delivery-determinism-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Synthesizes in a process of its own and returns the content of every file by its name. */
function synth(direction: string): { [file: string]: string } {
  const outdir = join(folder, direction);
  execFileSync(process.execPath, [require.resolve('tsx/cli'), join(__dirname, 'synth-shuffled.ts'), direction, outdir]);
  const files = readdirSync(outdir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile()).map(file => join(file.parentPath, file.name)).sort();
  return Object.fromEntries(files.map(path => [path.slice(outdir.length + 1), readFileSync(path, 'utf8')]));
}

test('two processes that deliver tenants in opposite orders write the same bytes', () => {
  const forwards = synth('forwards');
  expect(synth('backwards')).toEqual(forwards);
  expect(Object.keys(forwards)).toEqual(expect.arrayContaining([
    'argoCd/management/Application.even.tenant-2.k8s.yaml', 'argoCd/even-tenant-2/tenant-2/Deployment.tcp-proxy.k8s.yaml',
    'clusterResourceSet/management/ConfigMap.tenant-2.tenant-objects.k8s.yaml', 'flux/management/Kustomization.tenant-2.k8s.yaml',
    'flux/odd-tenant-5/tenant-5/ConfigMap.large.k8s.yaml', 'manifests/odd-tenant-1/tenant-1/ConfigMap.large.k8s.yaml',
    'sync/management/ConfigMap.even.tenant-2.k8s.yaml', 'sync/management/Role.tenant-sync-secrets-even.k8s.yaml',
  ]));
  // No file of a tenant is among those of the management cluster.
  expect(Object.keys(forwards).filter(file => /^\w+\/management\/.*(tcp-proxy|large)/.test(file))).toEqual([]);
}, 120_000);
