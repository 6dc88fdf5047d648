import { checkManifests } from '../../src/manifests/check';
import { readManifestTarget } from '../../src/manifests/target';
import { synthesizeExamples } from '../support/examples';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

const examples = synthesizeExamples();

describe('the examples of this project', () => {
  test.each(examples.names)('%s: nothing is found, and a control plane is', name => {
    const { findings, controlPlanes } = checkManifests([examples.folder(name)]);
    expect(findings).toEqual([]);
    expect(controlPlanes).toBeGreaterThan(0);
  });

  test('tell where a control plane, its konnectivity and its gateway are', () => {
    expect(readManifestTarget(examples.folder('shared-gateway'), 'tenants-tenant-01.k8s.example.com')).toEqual({
      host: 'tenants-tenant-01.k8s.example.com',
      port: 443,
      byPort: false,
      sans: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
      konnectivity: { host: 'tenants-tenant-01.konnectivity.example.com', port: 443 },
      proxyProtocol: { host: 'tenants-tenant-01.k8s.example.com', port: 6443, clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01', tlvType: 0xe1 },
    });
    expect(readManifestTarget(examples.folder('steward-traefik')).host).toBe('tenant-01.k8s.example.com');
    expect(() => readManifestTarget(examples.folder('shared-gateway'))).toThrow(/cannot tell which control plane to check: the hosts in there are/);
    expect(() => readManifestTarget(examples.folder('steward-traefik'), 'no.example.com')).toThrow(/has no control plane with host "no.example.com"/);
  });

  test('tell the port of a control plane that is found by it, and that konnectivity beside it is found by its host', () => {
    expect(readManifestTarget(examples.folder('hypershift'), 'tenant-02.k8s.example.com')).toEqual({
      host: 'tenant-02.k8s.example.com',
      port: 30002,
      byPort: true,
      sans: [],
      konnectivity: { host: 'tenant-02.konnectivity.example.com', port: 443 },
    });
    expect(() => readManifestTarget(examples.folder('hypershift'))).toThrow(
      /the hosts in there are tenant-01\.k8s\.example\.com:30001, tenant-02\.k8s\.example\.com:30002; name one$/);
  });
});

describe('manifests that do not tell which control plane to check', () => {
  const published = (name: string, strategy: string) => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: clusters }
spec: { services: [{ service: APIServer, servicePublishingStrategy: ${strategy} }] }
`;
  const atPort = (port: number) => `{ type: NodePort, nodePort: { address: edge.example.com, port: ${port} } }`;

  test('say what to give instead', () => {
    withFolder({ 'a.yaml': published('a', '{ type: LoadBalancer }') }, folder => expect(() => readManifestTarget(folder)).toThrow(
      /: no control plane in there has a host that leads to it \(clusters\/a of HyperShift\); give its host and --port in the place of --manifests$/));
    withFolder({ 'a.yaml': published('a', '{ type: NodePort, nodePort: { address: 192.0.2.1, port: 30001 } }') }, folder => {
      expect(() => readManifestTarget(folder)).toThrow(/no control plane in there has a host/);
    });
    withFolder({ 'a.yaml': 'kind: ConfigMap\napiVersion: v1' }, folder => {
      expect(() => readManifestTarget(folder)).toThrow(/no control plane is in there; name the folder or file/);
    });
  });

  test('are told apart by port where the host is the same', () => {
    withFolder({ 'a.yaml': published('a', atPort(30001)), 'b.yaml': published('b', atPort(30002)) }, folder => {
      expect(readManifestTarget(folder, 'edge.example.com', 30002)).toMatchObject({ host: 'edge.example.com', port: 30002 });
      expect(() => readManifestTarget(folder, 'edge.example.com')).toThrow(
        /has more than one control plane with host "edge.example.com": the hosts in there are edge.example.com:30001, edge.example.com:30002; give its --port$/);
    });
  });
});
