import { readDocuments } from '../../../cli/documents';
import { checkManifests } from '../../src/manifests/check';
import { targetsAmong } from '../../src/manifests/target';
import { synthesizeExamples } from '../support/examples';

jest.setTimeout(60_000);

const examples = synthesizeExamples();

describe('the examples of this project', () => {
  test.each(examples.names)('%s: nothing is found, and a control plane is', name => {
    const { findings, controlPlanes } = checkManifests([examples.folder(name)]);
    expect(findings).toEqual([]);
    expect(controlPlanes).toBeGreaterThan(0);
  });

  const targetIn = (name: string, host: string) =>
    targetsAmong(readDocuments([examples.folder(name)]).sources).reachable.find(target => target.host === host);

  test('tell where a control plane, its konnectivity and its gateway are', () => {
    expect(targetIn('shared-gateway', 'tenants-tenant-01.k8s.example.com')).toEqual({
      controlPlane: expect.objectContaining({ system: 'Kamaji' }),
      host: 'tenants-tenant-01.k8s.example.com',
      port: 443,
      byPort: false,
      sans: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
      konnectivity: { host: 'tenants-tenant-01.konnectivity.example.com', port: 443 },
      podPath: { way: 'tcp-proxy', endpoints: [], opensTls: false, apiServers: 'the API server alone' },
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
      podPath: { way: 'operator', endpoints: [], opensTls: false, apiServers: 'the API server alone' },
    });
  });
});
