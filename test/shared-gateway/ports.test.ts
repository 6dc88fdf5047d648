import { Chart, Testing } from 'cdk8s';
import { outputOf } from './output';
import {
  ExternalTrafficPolicy, Exposure, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, SharedIngressGateway,
  SharedIngressGatewayProps,
} from '../../src';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';
import { PlainPlatform } from '../support/plain';

const RANGE = { first: 30000, last: 30085 };

function setUp(props: Partial<SharedIngressGatewayProps> = {}) {
  const chart = new Chart(Testing.app(), 'management');
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', portRange: RANGE, ...props });
  const add = (name: string, controlPlane: Partial<IngressExposedControlPlaneProps> = {}) => new IngressExposedControlPlane(chart, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    platform: new PlainPlatform(),
    controller: gateway.asController(),
    domain: 'example.com',
    ...controlPlane,
  });
  return { chart, gateway, add, ...outputOf(chart) };
}

describe('a route whose port is one of the range', () => {
  test('is found by the port, and one of another port by its host', () => {
    const { add, table } = setUp();
    add('one', { port: 30001, konnectivity: { port: 443 }, allowedCidrs: ['192.0.2.0/24'] });
    add('two', { port: 30002, konnectivity: { port: 30003 } });
    expect(table('ports')).toEqual([
      '30001 one.tenants.svc.cluster.local:6443:tenants/one',
      '30002 two.tenants.svc.cluster.local:6443',
      '30003 two.tenants.svc.cluster.local:8132',
    ]);
    expect(table('hosts')).toEqual(['one.konnectivity.example.com one.tenants.svc.cluster.local:8132:tenants/one']);
    expect(table('allowed')).toEqual(['192.0.2.0/24@tenants/one 1']);
  });

  test('may have the host of another, which is found by its port as well, or by the host', () => {
    const { add, table } = setUp();
    add('one', { hostname: 'edge.example.com', port: 30001 });
    add('two', { hostname: 'edge.example.com', port: 30002, tlsServices: [{ name: 'by-host', hostname: 'edge.example.com', port: 443, servicePort: 6443 }] });
    expect(table('ports')).toHaveLength(2);
    expect(table('hosts')).toEqual(['edge.example.com two.tenants.svc.cluster.local:6443']);
  });

  test('is one of the Service; the rest of the range is not', () => {
    const { add, one } = setUp();
    add('two', { port: 30002 });
    add('one', { port: 30001 });
    expect(one('Service').spec.ports.map(({ name, port, targetPort }: any) => [name, port, targetPort]))
      .toEqual([['sni', 443, 'sni'], ['cluster-id', 6443, 'cluster-id'], ['port-30001', 30001, 30001], ['port-30002', 30002, 30002]]);
  });

  test('keeps its cluster ID', () => {
    const { add, table } = setUp();
    add('one', { port: 30001, clusterId: 'id-1' });
    expect(table('cluster-ids')).toEqual(['id-1 one.tenants.svc.cluster.local:6443']);
  });

  test('may be registered by hand', () => {
    const { gateway, table } = setUp();
    gateway.register(new Exposure({ name: 'one', namespace: 'tenants', hostname: 'one.example.com', port: 30001 }));
    expect(table('ports')).toEqual(['30001 one.tenants.svc.cluster.local:6443']);
  });

  test('belongs to one tenant of the gateway', () => {
    const { add, gateway, synth } = setUp();
    add('one', { port: 30001 });
    add('two', { port: 30001 });
    expect(synth).toThrow('port: "30001" is registered at management/edge by both tenants/one and tenants/two. ' +
      'A shared gateway would have to choose: give each control plane ports of its own, and register it once.');
    gateway.register(new Exposure({ name: 'three', namespace: 'tenants', hostname: 'three.example.com', port: 30001 }));
    expect(synth).toThrow('by both tenants/one and tenants/three');
  });

  test('is not that of another route of the tenant, as the default of konnectivity is', () => {
    expect(() => setUp().add('one', { port: 30001, konnectivity: {} })).toThrow(
      'port of konnectivity-server: 30001 is also that of kube-apiserver, and the gateway finds both by the port alone');
    const exposure = new Exposure({ name: 'one', namespace: 'tenants', domain: 'example.com', port: 30001, konnectivity: {} });
    expect(() => setUp().gateway.register(exposure)).toThrow('port of konnectivity-server: 30001');
  });

  test('may be that of another tenant at another gateway', () => {
    const { chart, add, synth } = setUp();
    add('one', { port: 30001 });
    const other = new SharedIngressGateway(chart, 'other', { namespace: 'shared-ingress', portRange: RANGE });
    add('two', { port: 30001, controller: other.asController() });
    expect(synth).not.toThrow();
  });
});

describe('the range', () => {
  test('is open in the NetworkPolicy', () => {
    expect(setUp().one('NetworkPolicy').spec.ingress[0].ports).toContainEqual({ port: 30000, endPort: 30085, protocol: 'TCP' });
  });

  test.each<[Partial<SharedIngressGatewayProps>, string]>([
    [{ portRange: { first: 30010, last: 30000 } }, 'portRange: {"first":30010,"last":30000} ends before it begins'],
    [{ portRange: { first: 0, last: 10 } }, 'portRange.first: 0 is not a port'],
    [{ portRange: { first: 30000, last: 70000 } }, 'portRange.last: 70000 is not a port'],
    [{ portRange: { first: 1.5, last: 3 } }, 'portRange.first: 1.5 is not a port'],
    [{ portRange: { first: 443, last: 443 } }, 'portRange.first: 443 is a privileged port'],
    [{ portRange: { first: 20000, last: 30000 } }, 'has more than 10000 ports'],
    [{ portRange: { first: 6000, last: 7000 } }, 'has the port 6443, on which the gateway listens for something else'],
    [{ portRange: { first: 8404, last: 8404 } }, 'has the port 8404'],
    [{ portRange: { first: 8443, last: 8443 }, clusterIdRouting: false }, 'has the port 8443'],
    [{ portRange: { first: 30000, last: 30085 }, sniPort: 30001 }, 'has the port 30001'],
    [{ portRange: { first: 30000, last: 30085 }, clusterIdPort: 30001 }, 'has the port 30001'],
  ])('%j is refused', (props, message) => {
    expect(() => setUp(props)).toThrow(message);
  });

  test('is what other ports than that of hosts must lie in', () => {
    expect(() => setUp().add('one', { port: 31000 })).toThrow('port of kube-apiserver: 31000 is not served by shared-gateway: by host it serves 443, by port 30000 to 30085');
    expect(() => setUp({ portRange: undefined }).add('one', { port: 30001 })).toThrow('whose public port is 443. Use port 443 with a host of its own, or give the gateway a portRange');
  });

  test('may have more ports in use than a Service has node ports for, which is an error', () => {
    const { gateway, synth } = setUp({ portRange: { first: 20000, last: 29999 } });
    const register = (i: number) => gateway.register(new Exposure({ name: `t${i}`, namespace: 'tenants', hostname: `t${i}.example.com`, port: 20000 + i }));
    Array.from({ length: 2500 }, (_, i) => register(i));
    expect(synth).not.toThrow();
    register(2500);
    expect(synth).toThrow('portRange: 2501 ports are in use, and one Service has node ports for 2500 at most');
  });

  test('may have as many in use as the object of a Service holds, where the load balancer needs no node ports', () => {
    const { gateway, synth } = setUp({ portRange: { first: 20000, last: 29999 }, nodePorts: false });
    const register = (i: number) => gateway.register(new Exposure({ name: `t${i}`, namespace: 'tenants', hostname: `t${i}.example.com`, port: 20000 + i }));
    Array.from({ length: 3600 }, (_, i) => register(i));
    expect(synth).not.toThrow();
    expect(gateway.loadBalancer.toJson().spec).toMatchObject({ allocateLoadBalancerNodePorts: false });
    expect(setUp().gateway.loadBalancer.toJson().spec).not.toHaveProperty('allocateLoadBalancerNodePorts');
    register(3600);
    expect(synth).toThrow('portRange: 3601 ports are in use, and one Service has room for 3600. Spread the tenants over several gateways');
  });

  test('sees nodes instead of sources with externalTrafficPolicy Cluster, unless the load balancer says who connects', () => {
    const lists = (props: Partial<SharedIngressGatewayProps>) => {
      const { add, synth } = setUp({ externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER, clusterIdRouting: false, ...props });
      add('one', { port: 30001, allowedCidrs: ['192.0.2.0/24'] });
      return synth;
    };
    const trustedCidrs = ['10.0.0.0/8'];
    expect(lists({})).toThrow('cannot be enforced: with externalTrafficPolicy Cluster sources are nodes');
    expect(lists({ loadBalancerProxyProtocol: { trustedCidrs, sniPortOnly: true } })).toThrow('sources are nodes');
    expect(lists({ loadBalancerProxyProtocol: { trustedCidrs } })).not.toThrow();
  });
});

describeWithHaproxy('the configuration with ports', () => {
  test.each<[string, Partial<SharedIngressGatewayProps>]>([
    ['as it is', {}],
    ['without IPv6', { ipv6: false }],
    ['with headers of a load balancer', { clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8', 'fd00::/8'] } }],
    ['of the largest range', { portRange: { first: 20000, last: 29999 } }],
  ])('%s is accepted by HAProxy', async (_, props) => {
    const { haproxyConfig } = setUp(props).gateway;
    expect(await checkConfig(haproxyConfig)).toBe('');
    const { first, last } = props.portRange ?? RANGE;
    expect(haproxyConfig).toContain(`bind 0.0.0.0:${first}-${last} tcp-ut 100s\n`);
  });

  test('expects headers on ports only where the load balancer sends them', () => {
    const config = (sniPortOnly: boolean) =>
      setUp({ clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'], sniPortOnly } }).gateway.haproxyConfig;
    expect([config(false), config(true)].map(text => text.split('expect-proxy layer4').length - 1)).toEqual([2, 1]);
  });
});

test('a gateway that does not route on cluster IDs has no lines for them, as HAProxy has no map', () => {
  const { add, table } = setUp({ clusterIdRouting: false });
  add('one', { port: 30001, clusterId: 'id-1' });
  expect(table('cluster-ids')).toEqual([]);
});

test('other controllers lead nobody by port', () => {
  const { exposure } = setUp().add('one', { port: 30001 });
  const controllers = [IngressController.traefik(), IngressController.openshift()];
  expect(controllers.map(controller => controller.routesByPort(exposure.routes[0]))).toEqual([false, false]);
});
