import { mkdtempSync, readdirSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { checkManifests } from '../../src/manifests/check';
import { readDocuments } from '../../src/manifests/documents';
import { targetsAmong } from '../../src/manifests/target';

jest.setTimeout(60_000);

const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');
const NAMES = readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();

let outdir: string;

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'doctor-examples-'));
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  for (const name of NAMES) {
    process.env.CDK8S_OUTDIR = join(outdir, name);
    const { app } = jest.requireActual(join(EXAMPLES, name, 'main')) as { app: { synth(): void } };
    app.synth();
  }
  delete process.env.CDK8S_OUTDIR;
  warn.mockRestore();
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

describe('the examples of this project', () => {
  test.each(NAMES)('%s: nothing is found, and a control plane is', name => {
    const { findings, controlPlanes } = checkManifests([join(outdir, name)]);
    expect(findings).toEqual([]);
    expect(controlPlanes).toBeGreaterThan(0);
  });

  const targetIn = (name: string, host: string) =>
    targetsAmong(readDocuments([join(outdir, name)]).sources).reachable.find(target => target.host === host);

  test('tell where a control plane, its konnectivity and its gateway are', () => {
    expect(targetIn('shared-gateway', 'tenants-tenant-01.k8s.example.com')).toEqual({
      controlPlane: expect.objectContaining({ system: 'Kamaji' }),
      host: 'tenants-tenant-01.k8s.example.com',
      port: 443,
      byPort: false,
      sans: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
      konnectivity: { host: 'tenants-tenant-01.konnectivity.example.com', port: 443 },
      proxyProtocol: { host: 'tenants-tenant-01.k8s.example.com', port: 6443, clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01', tlvType: 0xe1 },
    });
  });

  test('tell the port of a control plane that is found by it, and that konnectivity beside it is found by its host', () => {
    expect(targetIn('hypershift', 'tenant-02.k8s.example.com')).toEqual({
      controlPlane: expect.objectContaining({ system: 'HyperShift' }),
      host: 'tenant-02.k8s.example.com',
      port: 30002,
      byPort: true,
      sans: [],
      konnectivity: { host: 'tenant-02.konnectivity.example.com', port: 443 },
    });
  });
});
