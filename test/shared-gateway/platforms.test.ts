import { App, Chart } from 'cdk8s';
import { IngressExposedControlPlane, SharedIngressGateway, SynthesizedPlatform, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream } from '../../src';
import { hasOwnPorts, PLATFORMS, refused } from '../conformance/matrix';
import { expectValid } from '../support/schemas';

const ID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';
// These ask for routes of the operator, which makes none for the gateway; that is an error of every controller without them.
const CELL = { controller: 'the shared gateway of this library', konnectivity: true, tcpProxy: 'shared gateway, every node, owned advertise address' };
const NAMES = Object.keys(PLATFORMS).filter(platform => !hasOwnPorts(platform) && !refused({ ...CELL, platform }));

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a tenant behind the gateway, with a tcp-proxy that sends its cluster ID', () => {
  test.each(NAMES)('%s', name => {
    const app = new App();
    const management = new Chart(app, 'management');
    const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'shared-ingress' });
    const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      clusterId: ID,
      allowedCidrs: ['192.0.2.0/24'],
      controller: gateway.asController(),
      ...PLATFORMS[name].make(() => 443),
      // The gateway has one public port.
      port: 443,
    });
    const tenant = new Chart(app, 'tenant-01');
    new TcpProxyAddon(tenant, 'tcp-proxy', {
      controlPlane,
      upstream: TcpProxyUpstream.sharedGateway(gateway),
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }),
    });
    app.synthYaml();
    const manifests: any[] = [...management.toJson(), ...tenant.toJson()];
    manifests.forEach(expectValid);

    const lines = (table: string) => manifests.flatMap(({ kind, data }) => kind === 'ConfigMap' ? (data[`${table}.map`] ?? '').split('\n').filter(Boolean) : []);
    const { routes } = controlPlane.exposure;
    expect(lines('hosts').sort()).toEqual(routes.map(({ hostname, serviceName, servicePort }) =>
      `${hostname} ${serviceName}.tenants.svc.cluster.local:${servicePort}:tenants/tenant-01`).sort());
    expect(lines('cluster-ids')).toEqual([`${ID} ${routes[0].serviceName}.tenants.svc.cluster.local:${routes[0].servicePort}:tenants/tenant-01`]);
    expect(SynthesizedPlatform.of(management).routes().filter(({ byOperator }) => byOperator)).toEqual([]);
  });
});
