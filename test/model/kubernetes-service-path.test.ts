import * as fc from 'fast-check';
import { Exposure, ExposureProps, KubernetesServicePath, TenantNetwork, TenantPortProps } from '../../src';

const PROPS = { name: 'tenant-01', namespace: 'tenants', domain: 'example.com' };
const IPV6: TenantNetwork = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/64'] };
const DUAL: TenantNetwork = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/64'] };

function withPort(port: Partial<TenantPortProps>, props: Partial<ExposureProps> = {}): Exposure {
  return new Exposure({ ...PROPS, ...props, kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], ...port }) });
}

describe('a port of the shared address', () => {
  test('is what default/kubernetes holds, and a route that is none of those by host', () => {
    const { kubernetesEndpoint, portRoute, routes } = withPort({ port: 20001 }, { konnectivity: {} });
    expect(kubernetesEndpoint).toEqual({ addresses: ['203.0.113.10'], port: 20001 });
    expect(portRoute).toEqual({
      name: 'kubernetes-service', hostname: 'tenant-01.k8s.example.com', port: 20001, serviceName: 'tenant-01', serviceNamespace: 'tenants', servicePort: 6443,
    });
    expect(routes.map(({ name }) => name)).toEqual(['kube-apiserver', 'konnectivity-server']);
  });

  test('leads to the port of the Service, and of the pods behind it, as the API route does', () => {
    const { portRoute } = withPort({ port: 20001 }, { backend: { serviceName: 'api', serviceNamespace: 'hcp', apiPort: 443, apiPodPort: 6443 } });
    expect(portRoute).toMatchObject({ serviceName: 'api', serviceNamespace: 'hcp', servicePort: 443, podPort: 6443 });
  });

  test('has the addresses of the first Service network\'s family first, each in its one spelling', () => {
    const { kubernetesEndpoint } = withPort({ addresses: ['2001:DB8:0::0010', '203.0.113.11', '203.0.113.10'], port: 20001 }, { network: DUAL });
    expect(kubernetesEndpoint?.addresses).toEqual(['203.0.113.10', '203.0.113.11', '2001:db8::10']);
  });

  test('that a range gives is one of the range, whatever the name', () => {
    fc.assert(fc.property(
      fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/), fc.integer({ min: 1024, max: 60_000 }), fc.integer({ min: 0, max: 5_000 }),
      (name, first, size) => {
        const { port } = withPort({ portRange: { first, last: first + size } }, { name }).kubernetesEndpoint!;
        expect(port).toBeGreaterThanOrEqual(first);
        expect(port).toBeLessThanOrEqual(first + size);
      },
    ));
  });

  test('that a range gives stays what it was in an earlier version', () => {
    const range = { first: 20000, last: 29999 };
    const ports = ['tenant-01', 'tenant-02', 'tenant-03'].map(name => withPort({ portRange: range }, { name }).kubernetesEndpoint!.port);
    expect(ports).toEqual([26384, 20386, 29024]);
  });

  test.each<[string, Partial<TenantPortProps>, Partial<ExposureProps>, string]>([
    ['a name', { addresses: ['edge.example.com'], port: 20001 }, {}, 'KubernetesServicePath.port: addresses[0]: "edge.example.com" is not an IP address'],
    ['no address', { addresses: [], port: 20001 }, {}, 'kubernetesService.addresses: [] lacks an address of the primary family'],
    ['an address twice', { addresses: ['2001:db8::1', '2001:DB8:0::1'], port: 20001 }, { network: IPV6 }, 'kubernetesService.addresses: ["2001:db8::1","2001:DB8:0::1"] has an address twice'],
    ['an IPv4 address in IPv6', { addresses: ['::ffff:203.0.113.10'], port: 20001 }, { network: IPV6 }, 'addresses[0]: "::ffff:203.0.113.10" is an IPv4 address written as IPv6'],
    ['a loopback address', { addresses: ['127.0.0.1'], port: 20001 }, {}, 'kubernetesService.addresses: "127.0.0.1" is a loopback address'],
    ['a Service address', { addresses: ['10.96.0.1'], port: 20001 }, {}, '"10.96.0.1" lies in the service network 10.96.0.0/16'],
    ['a pod address', { addresses: ['10.244.0.1'], port: 20001 }, {}, '"10.244.0.1" lies in the tenant\'s own pod network'],
    ['an address of another family', { addresses: ['2001:db8::1'], port: 20001 }, {}, 'has 2001:db8::1, while the Services are 10.96.0.0/16'],
    ['addresses of the second family alone', { addresses: ['2001:db8::1'], port: 20001 }, { network: DUAL }, 'lacks an address of the primary family, that of 10.96.0.0/16'],
    ['port and range', { port: 20001, portRange: { first: 20000, last: 20001 } }, {}, 'portRange: {"first":20000,"last":20001} is given beside the port 20001. Give one of the two.'],
    ['neither', {}, {}, 'kubernetesService.port: is not given, and the controller has no range of ports to take it from'],
    ['a range that ends before it begins', { portRange: { first: 2, last: 1 } }, {}, 'portRange: {"first":2,"last":1} ends before it begins'],
    ['a public port', { port: 443 }, {}, 'kubernetesService.port: 443 is also the public port of kube-apiserver, which is found by its SNI host'],
    ['several addresses for an API server', { addresses: ['203.0.113.10', '203.0.113.11'], port: 20001, writtenByApiServer: true }, {}, 'are several, and an API server advertises one'],
  ])('refuses %s', (_, port, props, message) => {
    expect(() => withPort(port, props)).toThrow(message);
  });
});

describe('another path', () => {
  test('is a proxy in the tenant where nothing is said', () => {
    const { kubernetesService, kubernetesEndpoint, portRoute } = new Exposure(PROPS);
    expect(kubernetesService._kind).toBe('tcp-proxy');
    expect([kubernetesEndpoint, portRoute]).toEqual([undefined, undefined]);
  });

  test('may be an IPv6 address of a prefix, which follows from the name', () => {
    const addressOf = (name: string) => new Exposure({ ...PROPS, name, network: IPV6, kubernetesService: KubernetesServicePath.ipv6Address({ prefix: '2001:db8:0:1::/64' }) })
      .kubernetesEndpoint!.addresses[0];
    expect(addressOf('tenant-01')).toMatch(/^2001:db8:0:1:/);
    expect(addressOf('tenant-01')).not.toBe(addressOf('tenant-02'));
  });

  test('says why there is none', () => {
    expect(KubernetesServicePath.none({ reason: 'no pod uses the API' })._reason).toBe('no pod uses the API');
    expect(() => KubernetesServicePath.none({ reason: '' })).toThrow('KubernetesServicePath.none: reason: "" is empty');
  });
});
