import { apiHostOf, konnectivityHostOf } from '../../../src/manifests/control-plane';
import { readPlatform } from '../../../src/manifests/platform';
import { sourcesOf } from '../../../src/manifests/source';

function read(apiVersion: string, kind: string, spec: unknown) {
  const [controlPlane] = readPlatform(sourcesOf({ apiVersion, kind, metadata: { name: 'acme', namespace: 'clusters' }, spec }, 'a.yaml', 1)).controlPlanes;
  return controlPlane;
}

const hostedCluster = (...services: [string, object][]) => read('hypershift.openshift.io/v1beta1', 'HostedCluster', {
  services: services.map(([service, servicePublishingStrategy]) => ({ service, servicePublishingStrategy })),
});

describe('a control plane that is reached past the shared address', () => {
  test.each<[string, ReturnType<typeof read>, number]>([
    ['HyperShift, load balancer', hostedCluster(['APIServer', { type: 'LoadBalancer', loadBalancer: { hostname: 'api.example.com' } }]), 6443],
    ['HyperShift, node port', hostedCluster(['APIServer', { type: 'NodePort', nodePort: { address: 'api.example.com', port: 30001 } }]), 30001],
    ['k0smotron, load balancer', read('k0smotron.io/v1beta1', 'Cluster', { externalAddress: 'api.example.com', service: { type: 'LoadBalancer', apiPort: 6443 } }), 6443],
    ['k0smotron, node port', read('k0smotron.io/v1beta2', 'Cluster', { externalAddress: 'api.example.com', service: { type: 'NodePort' } }), 30443],
  ])('%s', (_, controlPlane, port) => {
    expect(controlPlane.api).toBeUndefined();
    expect(controlPlane.apiByPort).toMatchObject({ host: { host: 'api.example.com' }, port });
    expect(apiHostOf(controlPlane)).toBe('api.example.com');
  });

  test.each<[string, ReturnType<typeof read>]>([
    ['a load balancer whose name HyperShift does not know', hostedCluster(['APIServer', { type: 'LoadBalancer' }])],
    ['a node port that Kubernetes chooses', hostedCluster(['APIServer', { type: 'NodePort', nodePort: { address: 'api.example.com' } }])],
    ['k0smotron without an external address', read('k0smotron.io/v1beta1', 'Cluster', { service: { type: 'LoadBalancer' } })],
  ])('is not told by %s', (_, controlPlane) => {
    expect(controlPlane.apiByPort).toBeUndefined();
    expect(apiHostOf(controlPlane)).toBeUndefined();
  });

  test('has konnectivity at a node port, too', () => {
    const konnectivity = { type: 'NodePort', nodePort: { address: 'edge.example.com', port: 30002 } };
    expect(konnectivityHostOf(hostedCluster(['Konnectivity', konnectivity]))).toBe('edge.example.com');
  });

  test('of k0smotron has the shared address alone where there is an ingress', () => {
    const ingress = { apiHost: 'api.example.com', konnectivityHost: 'konnectivity.example.com' };
    const controlPlane = read('k0smotron.io/v1beta1', 'Cluster', { externalAddress: 'other.example.com', ingress });
    expect(controlPlane.apiByPort).toBeUndefined();
    expect(apiHostOf(controlPlane)).toBe('api.example.com');
    expect(controlPlane.sans!.value).toEqual(['api.example.com', 'konnectivity.example.com', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']);
  });
});
