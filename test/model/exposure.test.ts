import * as fc from 'fast-check';
import { Exposure, ExposureProps, HostnamePattern } from '../../src';

const PROPS = { name: 'tenant-01', namespace: 'tenants', domain: 'example.com' };

function exposure(props: Partial<ExposureProps> = {}): Exposure {
  return new Exposure({ ...PROPS, ...props });
}

describe('the endpoints of an exposure', () => {
  test('come from the domain by the pattern, on port 443', () => {
    const { api, konnectivity } = exposure({ konnectivity: {} });
    expect(api.toString()).toBe('tenant-01.k8s.example.com:443');
    expect(konnectivity?.toString()).toBe('tenant-01.konnectivity.example.com:443');
  });

  test('follow the pattern that is asked for', () => {
    expect(exposure({ hostnamePattern: HostnamePattern.kamaji() }).api.host).toBe('tenants-tenant-01.k8s.example.com');
  });

  test('are what the user says, where the user says it', () => {
    const { api, konnectivity } = exposure({
      hostname: 'api.tenant.example.org', port: 6443, konnectivity: { hostname: 'tunnel.example.org', port: 8132 },
    });
    expect(api.toString()).toBe('api.tenant.example.org:6443');
    expect(konnectivity?.toString()).toBe('tunnel.example.org:8132');
  });

  test('have the port of the API server unless they have one of their own', () => {
    const { konnectivity, routes } = exposure({ port: 8443, konnectivity: {}, tlsServices: [{ name: 'oauth', servicePort: 6443 }] });
    expect(konnectivity?.port).toBe(8443);
    expect(routes.map(route => route.port)).toEqual([8443, 8443, 8443]);
  });

  test('share the host of the API server where the platform has it so', () => {
    const shared = exposure({ konnectivitySharesHostname: true, konnectivity: { port: 8132 } });
    expect(shared.konnectivity?.toString()).toBe('tenant-01.k8s.example.com:8132');
    expect(shared.dnsNames).toEqual(['tenant-01.k8s.example.com']);
    const own = exposure({ konnectivitySharesHostname: true, konnectivity: { hostname: 'tunnel.example.com' } });
    expect(own.konnectivity?.host).toBe('tunnel.example.com');
  });

  test('do without konnectivity when it is not asked for', () => {
    const { konnectivity, konnectivityAgentArgs, routes } = exposure();
    expect(konnectivity).toBeUndefined();
    expect(konnectivityAgentArgs).toEqual([]);
    expect(routes.map(route => route.name)).toEqual(['kube-apiserver']);
  });
});

describe('the routes of an exposure', () => {
  test('lead each host to its Service and port', () => {
    const { routes } = exposure({
      konnectivity: {},
      tlsServices: [
        { name: 'trustd', servicePort: 50001 },
        { name: 'oauth', hostname: 'oauth.example.org', port: 8443, serviceName: 'oauth-openshift', servicePort: 6443 },
      ],
    });
    const common = { port: 443, serviceName: 'tenant-01', serviceNamespace: 'tenants' };
    expect(routes).toEqual([
      { ...common, name: 'kube-apiserver', hostname: 'tenant-01.k8s.example.com', servicePort: 6443 },
      { ...common, name: 'konnectivity-server', hostname: 'tenant-01.konnectivity.example.com', servicePort: 8132 },
      { ...common, name: 'trustd', hostname: 'tenant-01.trustd.example.com', servicePort: 50001 },
      { ...common, name: 'oauth', hostname: 'oauth.example.org', port: 8443, serviceName: 'oauth-openshift', servicePort: 6443 },
    ]);
  });

  test('lead to the Service of the platform', () => {
    const { routes } = exposure({ konnectivity: {}, backend: { serviceName: 'kmc-tenant-01', apiPort: 30443, konnectivityPort: 30132 } });
    expect(routes.map(route => [route.serviceName, route.servicePort])).toEqual([['kmc-tenant-01', 30443], ['kmc-tenant-01', 30132]]);
  });
});

describe('what follows from an exposure', () => {
  const full = exposure({
    konnectivity: {},
    network: {
      clusterDomain: 'tenant.local',
      serviceCidrs: ['10.100.0.0/16', 'fd00:10:100::/112'],
      podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'],
      dnsServiceIps: ['10.100.0.10', 'fd00:10:100::a'],
    },
    certSans: ['*.internal.example.com', '10.0.0.1', 'fd00::1', 'localhost', 'kubernetes', 'tenant-01.k8s.example.com'],
    tlsServices: [{ name: 'trustd', servicePort: 50001 }],
    clusterId: 'tenant-01',
  });

  test('certificate SANs: the hosts, the in-cluster names and the user\'s, each once', () => {
    expect(full.certSans).toEqual([
      'tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com',
      'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.tenant.local',
      '*.internal.example.com', '10.0.0.1', 'fd00::1', 'localhost',
    ]);
  });

  test('DNS names: every host, each once', () => {
    expect(full.dnsNames).toEqual(['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com', 'tenant-01.trustd.example.com']);
  });

  test('arguments of the konnectivity agent, kubeconfig and CNI values: the public endpoints', () => {
    expect(full.konnectivityAgentArgs).toEqual(['--proxy-server-host=tenant-01.konnectivity.example.com', '--proxy-server-port=443']);
    expect(full.kubeconfigServer).toBe('https://tenant-01.k8s.example.com:443');
    expect(full.cniValues).toEqual({ k8sServiceHost: 'tenant-01.k8s.example.com', k8sServicePort: '443' });
  });

  test('addresses of the Service kubernetes: the first of each network', () => {
    expect(full.kubernetesServiceIps).toEqual(['10.100.0.1', 'fd00:10:100::1']);
    expect(exposure().kubernetesServiceIps).toEqual(['10.96.0.1']);
  });

  test('a change of the host changes everything, and the old host occurs nowhere', () => {
    const text = JSON.stringify(exposure({ domain: 'example.net', konnectivity: {}, tlsServices: [{ name: 'trustd', servicePort: 50001 }] }));
    expect(text).toContain('tenant-01.k8s.example.net');
    expect(text).not.toContain('example.com');
  });

  test('every DNS name is an API, konnectivity or service host, and every host but a service\'s is a SAN', () => {
    const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
    fc.assert(fc.property(label, label, fc.uniqueArray(label.filter(name => name !== 'k8s' && name !== 'konnectivity')), (name, namespace, services) => {
      const { routes, dnsNames, certSans } = new Exposure({
        name, namespace, domain: 'example.com', konnectivity: {}, tlsServices: services.map((service, i) => ({ name: service, servicePort: 1 + i })),
      });
      expect(dnsNames).toEqual(routes.map(route => route.hostname));
      expect(certSans.slice(0, 2)).toEqual(dnsNames.slice(0, 2));
      expect(new Set(dnsNames).size).toBe(2 + services.length);
    }));
  });
});

describe('an exposure refuses', () => {
  test.each<[string, Partial<ExposureProps>, string]>([
    ['a name that no Service can have', { name: '01-tenant' },
      'name: "01-tenant" is not a valid name. Use lower-case letters, digits and "-", starting with a letter and ending with a letter or digit.'],
    ['a namespace that cannot exist', { namespace: 'Tenants' },
      'namespace: "Tenants" is not a valid name. Use lower-case letters, digits and "-", starting and ending with a letter or digit.'],
    ['no host and no domain', { domain: undefined },
      'hostname: is not set and cannot be derived. Give "domain", e.g. "example.com", of which hosts are made, or hostname.'],
    ['no konnectivity host and no domain', { domain: undefined, hostname: 'a.example.com', konnectivity: {} },
      'konnectivity.hostname: is not set and cannot be derived. Give "domain", e.g. "example.com", of which hosts are made, or konnectivity.hostname.'],
    ['no host of a service and no domain', { domain: undefined, hostname: 'a.example.com', tlsServices: [{ name: 'trustd', servicePort: 50001 }] },
      'tlsServices[0].hostname: is not set and cannot be derived. Give "domain", e.g. "example.com", of which hosts are made, or tlsServices[0].hostname.'],
    ['a host with a port', { hostname: 'a.example.com:443' }, 'hostname: "a.example.com:443" carries a port. '
      + 'Host and port are separate: give "a.example.com" here, and the port 443 where a port is asked for.'],
    ['a konnectivity host with a port', { konnectivity: { hostname: 'a.example.com:443' } },
      'konnectivity.hostname: "a.example.com:443" carries a port. '
      + 'Host and port are separate: give "a.example.com" here, and the port 443 where a port is asked for.'],
    ['a wildcard domain', { domain: '*.example.com' }, 'domain: "*.example.com" is a wildcard; a control plane answers on one name. '
      + 'Give the exact name; wildcards belong into DNS only.'],
    ['a port that is none', { port: 0 }, 'port: 0 is not a port. Give a whole number from 1 to 65535.'],
    ['a konnectivity port that is none', { konnectivity: { port: 70000 } },
      'konnectivity.port: 70000 is not a port. Give a whole number from 1 to 65535.'],
    ['a port of a service that is none', { tlsServices: [{ name: 'trustd', port: -1, servicePort: 50001 }] },
      'tlsServices[0].port: -1 is not a port. Give a whole number from 1 to 65535.'],
    ['a Service port that is none', { tlsServices: [{ name: 'trustd', servicePort: 0 }] },
      'tlsServices[0].servicePort: 0 is not a port. Give a whole number from 1 to 65535.'],
    ['a Service name that is none', { tlsServices: [{ name: 'trustd', servicePort: 1, serviceName: '1' }] },
      'tlsServices[0].serviceName: "1" is not a valid name. '
      + 'Use lower-case letters, digits and "-", starting with a letter and ending with a letter or digit.'],
    ['a service name that is no label', { tlsServices: [{ name: 'Trustd', servicePort: 50001 }] },
      'tlsServices[0].name: "Trustd" is not a valid name. Use lower-case letters, digits and "-", starting and ending with a letter or digit.'],
    ['a backend that no Service can be', { backend: { serviceName: 'A' } },
      'backend.serviceName: "A" is not a valid name. Use lower-case letters, digits and "-", starting with a letter and ending with a letter or digit.'],
    ['a backend port that is none', { backend: { serviceName: 'a', apiPort: 0 } },
      'backend.apiPort: 0 is not a port. Give a whole number from 1 to 65535.'],
    ['a konnectivity backend port that is none', { konnectivity: {}, backend: { serviceName: 'a', konnectivityPort: 0 } },
      'backend.konnectivityPort: 0 is not a port. Give a whole number from 1 to 65535.'],
    ['konnectivity on the API server\'s endpoint', { hostname: 'a.example.com', konnectivity: { hostname: 'a.example.com' } },
      'konnectivity-server: "a.example.com:443" is also the endpoint of kube-apiserver; a shared address routes on the SNI host alone. '
      + 'Give konnectivity-server a host of its own.'],
    ['two services on one endpoint', {
      tlsServices: [{ name: 'a', hostname: 'x.example.com', servicePort: 1 }, { name: 'b', hostname: 'x.example.com', servicePort: 2 }],
    }, 'b: "x.example.com:443" is also the endpoint of a; a shared address routes on the SNI host alone. Give b a host of its own.'],
    ['two services of one name', { tlsServices: [{ name: 'a', servicePort: 1 }, { name: 'a', hostname: 'b.example.com', servicePort: 2 }] },
      'tlsServices: "a" is used for two routes of this control plane. Give every TLS service a name of its own.'],
    ['a cluster domain that is none', { network: { clusterDomain: 'Cluster.local' } },
      'network.clusterDomain: "Cluster.local" has upper-case letters; routes and certificates compare lower-case names. Write "cluster.local".'],
    ['a Service network that is none', { network: { serviceCidrs: ['10.96.0.0'] } },
      'network.serviceCidrs[0]: "10.96.0.0" is not a network in CIDR notation. '
      + 'Write address/prefix, e.g. "10.96.0.0/16" or "fd00:10:96::/112".'],
    ['no Service network', { network: { serviceCidrs: [] } },
      'network.serviceCidrs: [] is empty. Leave it out for the default, or give one network per address family.'],
    ['two Service networks of one family', { network: { serviceCidrs: ['10.96.0.0/16', '10.97.0.0/16'] } },
      'network.serviceCidrs: ["10.96.0.0/16","10.97.0.0/16"] has two networks of one address family. Give at most one IPv4 and one IPv6 network.'],
    ['a pod network that is none', { network: { podCidrs: ['10.244.0.1/16'] } },
      'network.podCidrs[0]: "10.244.0.1/16" has host bits set. Write "10.244.0.0/16".'],
    ['pods of another family than the Services', { network: { serviceCidrs: ['fd00::/112'] } },
      'network.podCidrs: ["10.244.0.0/16"] is of the families ipv4, while network.serviceCidrs is of ipv6. '
        + 'Give one network for each family of the Services, in the same order.'],
    ['a pod network that overlaps', { network: { serviceCidrs: ['10.244.8.0/24'] } },
      'network.podCidrs: "10.244.0.0/16" overlaps the Service network 10.244.8.0/24. Give two networks that share no address.'],
    ['a Service network that is too small', { network: { serviceCidrs: ['10.96.0.8/30'] } },
      'network.serviceCidrs: "10.96.0.8/30" has 4 addresses; kube-apiserver wants 8. Give a larger network.'],
    ['the address of the Service kubernetes for DNS', { network: { dnsServiceIps: ['10.96.0.1'] } },
      'network.dnsServiceIps[0]: "10.96.0.1" is the first of the Service network, which the Service kubernetes has. Give another, e.g. "10.96.0.10".'],
    ['the name of the API route for a TLS service', { tlsServices: [{ name: 'kube-apiserver', hostname: 'a.example.com', servicePort: 1 }] },
      'tlsServices[0].name: "kube-apiserver" is the name of a route that every platform knows. Give the TLS service another name.'],
    ['a DNS address outside of the Service networks', { network: { serviceCidrs: ['10.96.0.0/16', 'fd00::/112'], podCidrs: ['10.244.0.0/16', 'fd01::/56'], dnsServiceIps: ['10.96.0.10', '10.97.0.10'] } },
      'network.dnsServiceIps[1]: "10.97.0.10" does not lie in the Service networks 10.96.0.0/16, fd00::/112. '
      + 'Give an address of a Service network, e.g. "10.96.0.10".'],
    ['a SAN with a port', { certSans: ['a.example.com', 'b.example.com:443'] }, 'certSans[1]: "b.example.com:443" carries a port. '
      + 'Host and port are separate: give "b.example.com" here, and the port 443 where a port is asked for.'],
    ['a SAN that is no name', { certSans: ['*'] }, 'certSans[0]: "*" has the label "*", which is not a DNS label. '
      + 'Use lower-case letters, digits and "-", starting and ending with a letter or digit.'],
  ])('%s', (_, props, message) => {
    expect(() => exposure(props)).toThrow(new Error(message));
  });
});

describe('an exposure', () => {
  test('does not change with what it was made of, nor by its readers', () => {
    const dnsServiceIps = ['10.96.0.10'];
    const certSans = ['api.internal'];
    const fixed = exposure({ certSans, network: { dnsServiceIps } });
    dnsServiceIps.push('9.9.9.9');
    certSans.push('evil');
    expect(fixed.dnsServiceIps).toEqual(['10.96.0.10']);
    expect(fixed.certSans).not.toContain('evil');
    expect(() => fixed.certSans.push('evil')).toThrow(TypeError);
    expect(() => fixed.routes.pop()).toThrow(TypeError);
  });
});
