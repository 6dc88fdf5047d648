import { App, Chart, Testing } from 'cdk8s';
import { assert, constantFrom, property, stringMatching, tuple } from 'fast-check';
import { outputOf } from './output';
import {
  Exposure, ExternalTrafficPolicy, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServiceEndpoints,
  KubernetesServicePath, SharedIngressGateway, SharedIngressGatewayProps, TcpProxyAddon, TenantIpv6AddressProps,
} from '../../src';
import { parseLine } from '../../src/agent/contract/routing-tables';
import { ManagementCluster } from '../../src/synthesis/management-cluster';
import { IpNetwork } from '../../src/validation/ip-network';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';
import { PlainPlatform } from '../support/plain';

const PREFIX = '2001:db8:1::/64';
const IPV6 = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };
const IPV6_FIRST = { serviceCidrs: ['fd00:10:96::/112', '10.96.0.0/16'], podCidrs: ['fd00:10:244::/56', '10.244.0.0/16'] };
const IPV4_FIRST = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };

function setUp(props: Partial<SharedIngressGatewayProps> = {}) {
  const app: App = Testing.app();
  const chart = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', addressRange: { prefix: PREFIX }, ...props });
  type More = Partial<IngressExposedControlPlaneProps>;
  const add = (name: string, address?: TenantIpv6AddressProps, controlPlane: More = {}) => new IngressExposedControlPlane(chart, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    platform: new PlainPlatform(),
    controller: gateway.asController(),
    domain: 'example.com',
    network: IPV6,
    kubernetesService: KubernetesServicePath.ipv6Address(address),
    ...controlPlane,
  });
  return { app, chart, gateway, add, ...outputOf(chart) };
}

describe('the IPv6 address of a tenant', () => {
  test('is a line of the gateway that leads to the API server, with the list of sources, and the endpoint of default/kubernetes', () => {
    const { app, add, table } = setUp();
    const controlPlane = add('one', { address: '2001:DB8:1:0::0010' }, { allowedCidrs: ['2001:db8:2::/64'], konnectivity: {} });
    new KubernetesServiceEndpoints(new Chart(app, 'tenant'), 'kubernetes', { controlPlane });
    const { exposure } = controlPlane;
    expect(exposure.kubernetesEndpoint).toEqual({ addresses: ['2001:db8:1::10'], port: 7443 });
    expect(exposure.addressRoute).toMatchObject({ name: 'kubernetes-service', hostname: 'one.k8s.example.com', port: 7443, serviceName: 'one', servicePort: 6443 });
    expect(table('destinations')).toEqual(['2001:db8:1::10 one.tenants.svc.cluster.local:6443:tenants/one']);
    expect(table('hosts')).toHaveLength(2);
    expect(table('ports')).toEqual([]);
    expect(() => new TcpProxyAddon(new Chart(app, 'other'), 'tcp-proxy', { controlPlane })).toThrow(
      'leads pods to port 7443 of 2001:db8:1::10, where client certificates work and no TLS is opened; a proxy would only fight over default/kubernetes');
  });

  test('follows from its name and cluster alone, whoever else there is', () => {
    const addresses = (...names: string[]) => {
      const { add } = setUp();
      return Object.fromEntries(names.map(name => [name, add(name).exposure.kubernetesEndpoint!.addresses[0]]));
    };
    const three = addresses('one', 'two', 'three');
    expect(addresses('three', 'one')).toEqual({ one: three.one, three: three.three });
    expect(new Set(Object.values(three)).size).toBe(3);
    // Pinned: a release that drew others would move every tenant.
    expect(three.one).toBe('2001:db8:1:0:cf88:fc17:d902:236b');

    expect(setUpIn('eu-1').add('one').exposure.kubernetesEndpoint!.addresses[0]).not.toBe(three.one);
  });

  test('lies in the prefix, is none of its routers, and is a line that the agent takes, whatever the names are', () => {
    const label = stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
    assert(property(tuple(label, label), constantFrom(PREFIX, '2001:db8:1:2:3::/80', '2001:db8::ffff:0/112'), ([namespace, name], prefix) => {
      const { kubernetesEndpoint } = new Exposure({
        namespace, name, domain: 'example.com', network: IPV6, kubernetesService: KubernetesServicePath.ipv6Address({ prefix }),
      });
      const [address] = kubernetesEndpoint!.addresses;
      const network = IpNetwork.parse('prefix', prefix);
      expect(network.contains(address)).toBe(true);
      expect(network.isNth(0n, address)).toBe(false);
      expect(parseLine('destinations', `${address} a.b.svc:6443`)).toEqual([address, 'a.b.svc:6443']);
    }));
  });

  test('is no way for a tenant whose Services are IPv4 first, which would never lead to it', () => {
    const why = 'as the first network of the Services is 10.96.0.0/16: the Service kubernetes has an address of its family alone, and nodes lead that to endpoints of the same family. ' +
      'Use KubernetesServicePath.port(), or make the tenant anew with an IPv6 network first in network.serviceCidrs.';
    for (const network of [undefined, IPV4_FIRST]) expect(() => setUp().add('one', {}, { network })).toThrow(why);
    expect(setUp().add('one', {}, { network: IPV6_FIRST }).exposure.kubernetesEndpoint!.addresses).toHaveLength(1);
  });

  test('belongs to one tenant, of any gateway', () => {
    const { add, synth, gateway } = setUp();
    add('one', { address: '2001:db8:1::10' });
    add('two', { address: '2001:db8:1::0:10' });
    expect(synth).toThrow('[2001:db8:1::10]:7443');
    expect(synth).not.toThrow('is registered at management/edge');
    gateway.register(new Exposure({
      name: 'three', namespace: 'tenants', domain: 'example.com', network: IPV6, kubernetesService: KubernetesServicePath.ipv6Address({ address: '2001:db8:1::10' }),
    }));
    expect(synth).toThrow('IPv6 address: "2001:db8:1::10" is registered at management/edge by both tenants/one and tenants/three. ' +
      'A shared gateway would have to choose: give each control plane addresses of its own, and register it once.');
  });

  test('may be registered by hand', () => {
    const { gateway, table } = setUp();
    const exposure = new Exposure({
      name: 'one', namespace: 'tenants', domain: 'example.com', network: IPV6, kubernetesService: KubernetesServicePath.ipv6Address({ address: '2001:db8:1::10' }),
    });
    gateway.register(exposure);
    expect(table('destinations')).toEqual(['2001:db8:1::10 one.tenants.svc.cluster.local:6443']);
    expect(() => setUp({ addressRange: undefined }).gateway.register(exposure)).toThrow('Give the SharedIngressGateway an addressRange');
  });

  test.each<[string, TenantIpv6AddressProps, Partial<SharedIngressGatewayProps>, string]>([
    ['of another network', { address: '2001:db8:2::10' }, {}, 'kubernetesService.address: "2001:db8:2::10" is not among the addresses of the gateway for tenants, 2001:db8:1::/64'],
    ['of another prefix', { prefix: '2001:db8:2::/64' }, {}, 'is not among the addresses of the gateway'],
    ['at another port', { port: 6443 }, {}, 'kubernetesService.port: 6443 is not the port of the gateway for addresses of tenants, 7443'],
    ['at a gateway without', {}, { addressRange: undefined }, 'kubernetesService.address: is not given, and the controller has no network to take it from'],
    ['that is given, at a gateway without', { address: '2001:db8:1::10' }, { addressRange: undefined }, 'which has no addresses of tenants. Give the SharedIngressGateway an addressRange'],
    ['and a prefix', { address: '2001:db8:1::10', prefix: PREFIX }, {}, 'is given beside the address'],
    ['of IPv4', { address: '192.0.2.1' }, {}, 'is an IPv4 address'],
    ['of a larger network than a gateway may have', { prefix: '2001:db8::/48' }, {}, 'is not an IPv6 network from a /64 to a /112'],
  ])('%s is refused', (_, address, props, message) => {
    expect(() => setUp(props).add('one', address)).toThrow(message);
  });

  test('is served by no other controller', () => {
    expect(() => setUp().add('one', { address: '2001:db8:1::10' }, { controller: IngressController.haproxy() })).toThrow(
      'kubernetesService.address: "2001:db8:1::10" cannot be served by the haproxy controller, which has no addresses of tenants.');
  });
});

describe('a gateway with addresses of tenants', () => {
  test('runs on the host network, one pod on a node, and makes the prefix the node\'s own with NET_ADMIN for that alone', () => {
    const { spec: { strategy, template: { spec: pod } } } = setUp().one('Deployment');
    expect(pod).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 });
    const [gateway] = pod.containers;
    expect(gateway.ports.map(({ name, containerPort, hostPort }: any) => [name, containerPort, hostPort])).toEqual(
      [['sni', 8443, 8443], ['cluster-id', 6443, 6443], ['address', 7443, 7443], ['health', 8404, 8404]]);
    expect(gateway.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(pod.initContainers).toEqual([expect.objectContaining({
      name: 'tenant-addresses',
      args: ['address', `--local-network=${PREFIX}`, '--log-level=info'],
      restartPolicy: 'Always',
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: false, runAsUser: 0, capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } },
    })]);
  });

  test('leaves the route to its user who says so, and nothing in the pod is root then', () => {
    const pod = setUp({ addressRange: { prefix: PREFIX, localRoute: false } }).one('Deployment').spec.template.spec;
    expect([pod.hostNetwork, pod.initContainers]).toEqual([true, undefined]);
  });

  test('has no NetworkPolicy, which would hold for none of its pods', () => {
    expect(setUp().one('NetworkPolicy')).toBeUndefined();
  });

  test.each<[Partial<SharedIngressGatewayProps>, string]>([
    [{ hostNetwork: false }, 'hostNetwork: false keeps the addresses of addressRange from the pods'],
    [{ ipv6: false }, 'ipv6: false takes the addresses of addressRange away'],
    [{ addressRange: { prefix: '10.0.0.0/24' } }, 'addressRange.prefix: "10.0.0.0/24" is not an IPv6 network from a /64 to a /112'],
    [{ addressRange: { prefix: '2001:db8::/120' } }, 'is not an IPv6 network'],
    [{ addressRange: { prefix: '2001:db8::1/64' } }, 'has host bits set'],
    [{ addressRange: { prefix: PREFIX, port: 443 } }, 'addressRange.port: 443 is a port on which the gateway listens for something else, or is privileged'],
    [{ addressRange: { prefix: PREFIX, port: 8404 } }, 'addressRange.port: 8404'],
    [{ addressRange: { prefix: PREFIX, port: 20001 }, portRange: { first: 20000, last: 20010 } }, 'addressRange.port: 20001'],
    [{ addressRange: { prefix: PREFIX, port: 0 } }, 'addressRange.port: 0 is not a port'],
  ])('cannot be %j', (props, message) => expect(() => setUp(props)).toThrow(message));

  test('cannot enforce lists of sources where the others of its ports see nodes alone', () => {
    const { add, synth } = setUp({ externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER });
    add('one', {}, { allowedCidrs: ['2001:db8:2::/64'] });
    expect(synth).toThrow('cannot be enforced: with externalTrafficPolicy Cluster sources are nodes');
  });
});

describe('a gateway on the host network', () => {
  test('has ports of tenants at its nodes, more than a Service could have', () => {
    const { gateway, one } = setUp({ addressRange: undefined, hostNetwork: true, portRange: { first: 20000, last: 29999 } });
    for (let i = 0; i <= 2_500; i++) {
      gateway.register(new Exposure({ name: `t${i}`, namespace: 'tenants', hostname: `t${i}.example.com`, port: 20000 + i }));
    }
    expect(one('Service').spec.ports.map(({ name }: any) => name)).toEqual(['sni', 'cluster-id']);
    expect(one('Deployment').spec.template.spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
  });

  test('is what nobody gets who does not ask for it', () => {
    const pod = setUp({ addressRange: undefined }).one('Deployment').spec.template.spec;
    expect([pod.hostNetwork, pod.dnsPolicy, pod.containers[0].ports[0].hostPort]).toEqual([undefined, undefined, undefined]);
  });
});

describeWithHaproxy('the configuration with addresses', () => {
  test.each<[string, Partial<SharedIngressGatewayProps>]>([
    ['as it is', {}],
    ['with ports', { portRange: { first: 20000, last: 20010 } }],
    ['with headers of a load balancer', { clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'] } }],
  ])('%s is accepted by HAProxy, and takes no header there', async (_, props) => {
    const { haproxyConfig } = setUp(props).gateway;
    expect(await checkConfig(haproxyConfig)).toBe('');
    const frontend = /^frontend address\n(( .*)\n)+/m.exec(haproxyConfig)![0];
    expect(frontend).toContain('bind [::]:7443 v6only tcp-ut 100s\n');
    expect(frontend).not.toMatch(/(accept|expect)-proxy/);
  });
});

function setUpIn(cluster: string) {
  const app = Testing.app();
  ManagementCluster.assign(app, cluster);
  const chart = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', addressRange: { prefix: PREFIX } });
  return {
    add: (name: string) => new IngressExposedControlPlane(chart, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      platform: new PlainPlatform(),
      controller: gateway.asController(),
      domain: 'example.com',
      network: IPV6,
      kubernetesService: KubernetesServicePath.ipv6Address(),
    }),
  };
}
