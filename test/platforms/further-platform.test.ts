import { App, Chart } from 'cdk8s';
import { ExposureReport, IngressExposedControlPlane, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TenantCharts, TenantDelivery } from '../../src';
import { CONTROLLERS } from '../conformance/matrix';
import { K3kPlatform } from '../support/k3k';
import { routedHosts } from '../support/route-hosts';
import { expectValid } from '../support/schemas';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function expose(controller = 'haproxy') {
  const app = new App();
  const management = new Chart(app, 'management');
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3+k3s1',
    domain: 'example.com',
    platform: new K3kPlatform(),
    controller: CONTROLLERS[controller](management, 'example.com'),
    networkPolicy: { namespaces: ['edge'] },
  });
  return { app, management, controlPlane };
}

describe('a platform of a user\'s own, written with what is exported', () => {
  test.each(Object.keys(CONTROLLERS))('has one route behind %s', controller => {
    const { management } = expose(controller);
    const manifests: any[] = management.toJson();
    expect(routedHosts(manifests)).toEqual(['tenant-01.k8s.example.com']);
    manifests.filter(({ kind }) => kind !== 'Cluster').forEach(expectValid);
  });

  test('has the flags that its tcp-proxy needs, and a policy for its pods', () => {
    const { app, controlPlane } = expose();
    expect(controlPlane.platformObject.toJson().spec).toMatchObject({ version: 'v1.34.3-k3s1', serverArgs: [], tlsSANs: controlPlane.certSans });
    new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', { controlPlane });
    expect(controlPlane.platformObject.toJson().spec.serverArgs).toEqual(['--kube-apiserver-arg=endpoint-reconciler-type=none']);
    expect(controlPlane.networkPolicyObject!.toJson().spec).toMatchObject({
      podSelector: { matchLabels: { cluster: 'tenant-01', role: 'server' } }, ingress: [{ ports: [{ port: 6443 }] }],
    });
  });

  test('publishes the address of its tcp-proxy', () => {
    const { app, controlPlane } = expose();
    new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', {
      controlPlane, endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }), placement: TcpProxyPlacement.everyNode(),
    });
    expect(controlPlane.platformObject.toJson().spec.serverArgs).toEqual(['--advertise-address=172.20.0.1']);
  });

  test('is delivered and reported once the Secrets are named that it does not know', () => {
    const charts = (made: ReturnType<typeof expose>) => new TenantCharts(made.management, 'tenants', { delivery: TenantDelivery.sync() });
    const unnamed = expose();
    expect(() => charts(unnamed).of(unnamed.controlPlane)).toThrow('adminKubeconfig: is not known for tenants/tenant-01: its platform does not say');

    const named = expose();
    const { app, controlPlane } = named;
    const tenants = charts(named);
    new TcpProxyAddon(tenants.of(controlPlane, {
      adminKubeconfig: { secretName: 'admin', keys: ['kubeconfig.yaml'] },
      clusterCa: { secretName: 'ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
    }), 'tcp-proxy', { controlPlane });
    expect(new ExposureReport(app, 'report').toJson().controlPlanes).toMatchObject([{ name: 'tenant-01', tcpProxy: { upstream: 'sni' } }]);
  });
});
