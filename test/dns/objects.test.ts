import { App, Chart, Testing } from 'cdk8s';
import { load } from 'js-yaml';
import { exposure, tenantDns, ZONES } from './support/tenants';
import {
  CloudflareTunnel, CloudflareTunnelProps, DnsConfigMap, DnsOutput, DnsTarget, ExternalDnsEndpoint, TenantDnsProps, Warnings,
} from '../../src';
import { expectValid } from '../support/schemas';

const TUNNEL_ID = '0f6a1c5e-8f0b-4b52-9d1b-1a2b3c4d5e6f';
const TUNNEL = DnsTarget.cloudflareTunnel(TUNNEL_ID);
const ONE: Partial<TenantDnsProps> = { exposures: [exposure('a')], target: DnsTarget.addresses(['10.0.0.50', 'fd00::50']) };

function chart(): Chart {
  return new Chart(new App(), 'management');
}

describe('DNSEndpoints', () => {
  const endpointsOf = (props: Partial<TenantDnsProps>) => {
    const { endpointObjects } = new ExternalDnsEndpoint(chart(), 'tenants', { dns: tenantDns({ ...ONE, ...props }), namespace: 'dns' });
    return endpointObjects.flatMap(object => object.toJson().spec.endpoints);
  };

  test('have every record', () => {
    expect(endpointsOf({ wildcardDomains: ['k8s.example.com'], ttlSeconds: 60 })).toEqual([
      { dnsName: '*.k8s.example.com', recordType: 'A', recordTTL: 60, targets: ['10.0.0.50'] },
      { dnsName: '*.k8s.example.com', recordType: 'AAAA', recordTTL: 60, targets: ['fd00::50'] },
      { dnsName: 'a.konnectivity.example.com', recordType: 'A', recordTTL: 60, targets: ['10.0.0.50'] },
      { dnsName: 'a.konnectivity.example.com', recordType: 'AAAA', recordTTL: 60, targets: ['fd00::50'] },
    ]);
  });

  test('have the names of a tunnel proxied, and no others', () => {
    const proxied = [{ name: 'external-dns.alpha.kubernetes.io/cloudflare-proxied', value: 'true' }];
    expect(endpointsOf({
      exposures: [exposure('a', { konnectivity: undefined })],
      target: TUNNEL,
      additionalNames: [{ name: 'b.k8s.example.com', target: DnsTarget.canonicalName('lb.example.net') }],
    })).toEqual([
      { dnsName: 'a.k8s.example.com', recordType: 'CNAME', recordTTL: 300, targets: [`${TUNNEL_ID}.cfargotunnel.com`], providerSpecific: proxied },
      { dnsName: 'b.k8s.example.com', recordType: 'CNAME', recordTTL: 300, targets: ['lb.example.net'] },
    ]);
  });

  test('are several where one would be too large', () => {
    const exposures = Array.from({ length: 1100 }, (_, i) => exposure(`tenant-${i}`));
    const { endpointObjects } = new ExternalDnsEndpoint(chart(), 'tenants', { dns: tenantDns({ ...ONE, exposures }), namespace: 'dns' });
    expect(endpointObjects.map(object => [object.name, object.toJson().spec.endpoints.length]))
      .toEqual([['tenants', 2000], ['tenants-2', 2000], ['tenants-3', 400]]);
    for (const object of endpointObjects) {
      expect(JSON.stringify(object.toJson()).length).toBeLessThan(1_000_000);
    }
  });

  test('need an address', () => {
    expect(() => endpointsOf({ target: DnsTarget.annotatedObject() })).toThrow(/^\S+: dns\.target: holds no address .* Use ExternalDnsEndpoint\.annotations/);
  });

  test('of one name in one cluster are an error', () => {
    const app = new App();
    const management = new Chart(app, 'management');
    for (const id of ['a', 'b']) {
      new ExternalDnsEndpoint(management, id, { dns: tenantDns(ONE), namespace: 'dns', name: 'tenants' });
    }
    expect(() => app.synth()).toThrow(/DNSEndpoint in cluster "management": "dns\/tenants" is used by both/);
  });
});

describe('annotations for external-dns', () => {
  const PREFIX = 'external-dns.alpha.kubernetes.io';

  test('leave the address to the object that carries them', () => {
    expect(ExternalDnsEndpoint.annotations(tenantDns({ ...ONE, target: DnsTarget.annotatedObject(), wildcardDomains: ZONES }))).toEqual({
      [`${PREFIX}/hostname`]: '*.k8s.example.com,*.konnectivity.example.com',
      [`${PREFIX}/ttl`]: '300',
    });
  });

  test('name the addresses where they are known', () => {
    expect(ExternalDnsEndpoint.annotations(tenantDns(ONE))).toMatchObject({
      [`${PREFIX}/hostname`]: 'a.k8s.example.com,a.konnectivity.example.com',
      [`${PREFIX}/target`]: '10.0.0.50,fd00::50',
    });
    expect(ExternalDnsEndpoint.annotations(tenantDns({ ...ONE, target: TUNNEL }))).toMatchObject({
      [`${PREFIX}/target`]: `${TUNNEL_ID}.cfargotunnel.com`, [`${PREFIX}/cloudflare-proxied`]: 'true',
    });
  });

  test('refuse what they cannot say', () => {
    const additionalNames = [{ name: 'b.k8s.example.com', target: DnsTarget.addresses(['10.0.0.9']) }];
    expect(() => ExternalDnsEndpoint.annotations(tenantDns({ ...ONE, additionalNames }))).toThrow(/additionalNames: "b\.k8s\.example\.com" has a target of its own/);
    const exposures = Array.from({ length: 5000 }, (_, i) => exposure(`tenant-${i}`));
    expect(() => ExternalDnsEndpoint.annotations(tenantDns({ exposures }))).toThrow(/names: "10000 names" need \d+ bytes; an object's annotations hold 262144/);
  });
});

describe('a ConfigMap for a DNS server', () => {
  test('has a key for each file', () => {
    const { configMap } = new DnsConfigMap(chart(), 'coredns-custom', { dns: tenantDns(), output: DnsOutput.coreDns(), namespace: 'kube-system' });
    expect(configMap.toJson().metadata).toEqual({ name: 'coredns-custom', namespace: 'kube-system' });
    expect(Object.keys(configMap.toJson().data)).toEqual(['tenant-dns.server']);
    expectValid(configMap.toJson());
  });

  test('is refused when it would be too large', () => {
    const exposures = Array.from({ length: 6000 }, (_, i) => exposure(`tenant-${i}`));
    expect(() => new DnsConfigMap(chart(), 'zones', { dns: tenantDns({ exposures }), output: DnsOutput.bind(), namespace: 'dns' }))
      .toThrow(/^\S+: output: .* has \d+ bytes; a ConfigMap holds 1048576/);
  });
});

describe('a Cloudflare Tunnel', () => {
  const PROPS = {
    namespace: 'cloudflared', ingressHost: 'traefik.traefik.svc', credentialsSecretName: 'tunnel-credentials', image: 'cloudflare/cloudflared:2026.10.0',
  };
  const tunnel = (props: Partial<CloudflareTunnelProps> = {}, dns: Partial<TenantDnsProps> = {}) =>
    new CloudflareTunnel(chart(), 'tunnel', { ...PROPS, dns: tenantDns({ target: TUNNEL, ...dns }), ...props });
  const configOf = (...args: Parameters<typeof tunnel>) => load(tunnel(...args).config) as any;

  test('leaves TLS closed end to end', () => {
    expect(configOf({}, { exposures: [exposure('a')] })).toEqual({
      'tunnel': TUNNEL_ID,
      'credentials-file': '/etc/cloudflared/credentials/credentials.json',
      'metrics': ':2000',
      'no-autoupdate': true,
      'edge-ip-version': 'auto',
      'ingress': [
        { hostname: 'a.k8s.example.com', service: 'tcp://traefik.traefik.svc:443' },
        { hostname: 'a.konnectivity.example.com', service: 'tcp://traefik.traefik.svc:443' },
        { service: 'http_status:404' },
      ],
    });
  });

  test('has one rule for each wildcard, after the hosts of their own', () => {
    const own = exposure('own', { hostname: 'own.example.com', port: 8443, konnectivity: { hostname: 'tunnel.example.com' } });
    expect(configOf({ ingressHost: 'fd00::50' }, { zones: ['example.com'], exposures: [exposure('a'), own], wildcardDomains: ZONES }).ingress).toEqual([
      { hostname: 'own.example.com', service: 'tcp://[fd00::50]:8443' },
      { hostname: 'tunnel.example.com', service: 'tcp://[fd00::50]:8443' },
      { hostname: '*.k8s.example.com', service: 'tcp://[fd00::50]:443' },
      { hostname: '*.konnectivity.example.com', service: 'tcp://[fd00::50]:443' },
      { service: 'http_status:404' },
    ]);
  });

  test('names each host below a wildcard whose ports differ', () => {
    const exposures = [exposure('a'), exposure('b', { port: 8443, konnectivity: { port: 443 } })];
    expect(configOf({}, { exposures, wildcardDomains: ZONES }).ingress.slice(0, 2)).toEqual([
      { hostname: 'a.k8s.example.com', service: 'tcp://traefik.traefik.svc:443' },
      { hostname: 'b.k8s.example.com', service: 'tcp://traefik.traefik.svc:8443' },
    ]);
  });

  test('verifies each API server by its name where Cloudflare opens TLS, and leaves konnectivity closed', () => {
    const { ingress } = configOf({ openApiTls: { configMapName: 'tenant-cas' } }, { exposures: [exposure('a'), exposure('b')], wildcardDomains: ZONES });
    const api = (host: string) => ({
      hostname: host, service: 'https://traefik.traefik.svc:443', originRequest: { originServerName: host, caPool: '/etc/cloudflared/ca/ca.crt' },
    });
    expect(ingress).toEqual([
      api('a.k8s.example.com'), api('b.k8s.example.com'),
      { hostname: '*.konnectivity.example.com', service: 'tcp://traefik.traefik.svc:443' },
      { service: 'http_status:404' },
    ]);
    expect(JSON.stringify(ingress)).not.toContain('noTLSVerify');
  });

  test('runs hardened pods that start again with a new configuration', () => {
    const pod = tunnel({ openApiTls: { configMapName: 'tenant-cas' }, imagePullSecrets: ['pull'] }).workload.toJson().spec.template;
    expect(pod.metadata.annotations['checksum/config']).toMatch(/^[0-9a-f]{8}$/);
    expect(tunnel({}, { exposures: [exposure('a')] }).workload.toJson().spec.template.metadata.annotations).not.toEqual(pod.metadata.annotations);
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'pull' }],
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [
        { name: 'config', configMap: { name: 'tunnel' } },
        { name: 'credentials', secret: { secretName: 'tunnel-credentials' } },
        { name: 'ca', configMap: { name: 'tenant-cas' } },
      ],
    });
    expect(pod.spec.containers[0].securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(pod.spec.containers[0].resources.limits).not.toHaveProperty('cpu');
  });

  test('is valid in every object', () => {
    for (const manifest of Testing.synth(Chart.of(tunnel({ openApiTls: { configMapName: 'tenant-cas' } })))) {
      expectValid(manifest);
    }
  });

  test('warns of an image without a version', () => {
    expect(Warnings.of(tunnel({ image: 'cloudflare/cloudflared:latest' }))).toEqual([expect.stringContaining('has no fixed tag')]);
  });

  test.each<[string, Partial<CloudflareTunnelProps>, Partial<TenantDnsProps>, RegExp]>([
    ['names that do not lead to a tunnel', {}, { target: DnsTarget.addresses(['10.0.0.50']) }, /^\S+: dns\.target: \["10\.0\.0\.50"\] is not a Cloudflare Tunnel\. Give a TenantDns with DnsTarget\.cloudflareTunnel/],
    ['one host on two ports', {}, { exposures: [exposure('a', { konnectivitySharesHostname: true, konnectivity: { port: 8132 } })] },
      /^\S+: host of konnectivity-server: "a\.k8s\.example\.com" is also that of kube-apiserver, on port 443 instead of 8132; a Cloudflare Tunnel leads a host to one port/],
    ['an ingress host with a port', { ingressHost: 'traefik.traefik.svc:443' }, {}, /^\S+: ingressHost: .* carries a port/],
    ['no pods', { replicas: 0 }, {}, /^\S+: replicas: 0 is not a number of pods/],
  ])('refuses %s', (_, props, dns, message) => {
    expect(() => tunnel(props, dns)).toThrow(message);
  });
});

describe('the DNSEndpoints of tenants', () => {
  test.each([ONE.target!, TUNNEL])('are valid', target => {
    const { endpointObjects } = new ExternalDnsEndpoint(chart(), 'tenants', {
      dns: tenantDns({ target }), namespace: 'dns', labels: { team: 'platform' }, annotations: { note: 'tenants' },
    });
    endpointObjects.forEach(object => expectValid(object.toJson()));
  });
});
