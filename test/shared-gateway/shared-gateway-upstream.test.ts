import { App, Chart, Testing } from 'cdk8s';
import {
  Exposure, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, SharedIngressGateway, SharedIngressGatewayProps,
  TcpProxyAddon, TcpProxyAddonProps, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream,
} from '../../src';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';
import { PlainPlatform } from '../support/plain';

const ID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';

function setUp(props: {
  gateway?: Partial<SharedIngressGatewayProps>; controlPlane?: Partial<IngressExposedControlPlaneProps>; tcpProxy?: Partial<TcpProxyAddonProps>;
} = {}) {
  const app: App = Testing.app();
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'shared-ingress', ...props.gateway });
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    platform: new PlainPlatform(),
    controller: gateway.asController(),
    domain: 'example.com',
    clusterId: ID,
    ...props.controlPlane,
  });
  const tcpProxy = new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', {
    controlPlane, upstream: TcpProxyUpstream.sharedGateway(gateway), ...props.tcpProxy,
  });
  return { app, gateway, controlPlane, tcpProxy };
}

const PLACEMENTS: { [name: string]: Partial<TcpProxyAddonProps> } = {
  'a Deployment that owns the endpoints': {},
  'a DaemonSet with an advertise address': {
    placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }),
  },
  'a static pod with a fixed address': { placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) },
};

describeWithHaproxy('a tcp-proxy at a shared gateway', () => {
  test.each(Object.entries(PLACEMENTS))('as %s sends the cluster ID, in health checks too, and opens no TLS', async (_, placement) => {
    const { tcpProxy, app } = setUp({ tcpProxy: placement });
    app.synthYaml();
    expect(tcpProxy.haproxyConfig.match(/ server upstream tenant-01.k8s.example.com:6443 .*send-proxy-v2 '?set-proxy-v2-tlv-fmt\(0xe1\)'? .*5f8a1f6e/g)).toHaveLength(2);
    expect(tcpProxy.haproxyConfig).not.toContain('ssl crt');
    expect(await checkConfig(tcpProxy.haproxyConfig)).toBe('');
  });

  test('uses the host, port and TLV of the gateway', async () => {
    const { tcpProxy } = setUp({ gateway: { host: '192.0.2.10', clusterIdPort: 7443, hypershiftCompatibility: true } });
    expect(tcpProxy.haproxyConfig).toMatch(/server upstream 192.0.2.10:7443 send-proxy-v2 '?set-proxy-v2-tlv-fmt\(0x20\)/);
    expect(await checkConfig(tcpProxy.haproxyConfig)).toBe('');
  });

  test('may use a gateway of another app', () => {
    const other = SharedIngressGateway.fromAttributes({ host: '192.0.2.1', tlvType: 0xe5 });
    const { haproxyConfig } = setUp({ tcpProxy: { upstream: TcpProxyUpstream.sharedGateway(other) } }).tcpProxy;
    expect(haproxyConfig).toMatch(/server upstream 192.0.2.1:6443 send-proxy-v2 '?set-proxy-v2-tlv-fmt\(0xe5\)/);
    expect(() => SharedIngressGateway.fromAttributes({ host: 'https://edge.example.com' })).toThrow('host: "https://edge.example.com" is a URL');
    expect(() => SharedIngressGateway.fromAttributes({ host: 'edge.example.com', tlvType: 0x21 })).toThrow('tlvType: 33 is not in the range');
  });
});

test('a control plane without a cluster ID is an error', () => {
  expect(() => setUp({ controlPlane: { clusterId: undefined } })).toThrow('clusterId: of tenants/tenant-01 is not set');
  expect(() => setUp({ controlPlane: { clusterId: undefined } })).toThrow(/e\.g\. a UUID\.$/);
});

test('an empty cluster ID is an error', () => {
  expect(() => new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.example.com', clusterId: '' }))
    .toThrow('clusterId: "" is empty');
});

test('a gateway without cluster ID routing is an error', () => {
  expect(() => setUp({ gateway: { clusterIdRouting: false } })).toThrow('upstream: "shared gateway" has no port for cluster IDs');
});

test('a control plane that the gateway does not know is an error until it is registered', () => {
  const { app, gateway, controlPlane } = setUp({ controlPlane: { controller: IngressController.traefik() } });
  expect(() => app.synthYaml()).toThrow(`clusterId: "${ID}" of tenants/tenant-01 is not known at the gateway management/edge`);
  gateway.register(controlPlane.exposure);
  expect(() => app.synthYaml()).not.toThrow();
});
