import { App, Chart, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { Admission } from './support/admission';
import { Cluster } from './support/cluster';
import { ROUTES } from './support/routes';
import {
  DnsTarget, ExternalDnsEndpoint, HostOwnershipPolicy, HostOwnershipPolicyProps, IngressExposedControlPlane, KubernetesServiceEndpoints,
  KubernetesServicePath, TenantDns,
} from '../../src';
import { takes } from '../../src/manifests/host';
import { CONTROLLERS } from '../conformance/matrix';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { PlainPlatform } from '../support/plain';

/*
 * The policies in a real kube-apiserver. The hostile namespace owns nothing and may write every kind of route there is.
 */

jest.setTimeout(120_000);

const VICTIM = 'tenant-01.k8s.example.com';
const OWNERS: { readonly [domain: string]: string } = {
  'example.com': 'platform', 'k8s.example.com': 'tenants', 'team-a.k8s.example.com': 'team-a', 'port-20001': 'tenants', 'closed.example.net': 'platform',
};
const POLICY: HostOwnershipPolicyProps = {
  namespace: 'host-policy',
  domains: [
    ...Object.entries(OWNERS).map(([domain, owner]) => ({ domain, namespaces: [owner] })),
    { domain: 'apps.example.com', namespaceLabels: { team: 'apps', stage: 'production' } },
    // Whose ports they are must be known to each policy there is.
    ...Array.from({ length: 20 }, (_, i) => ({ domain: `port-${30010 + i}`, namespaces: ['tenants'] })),
  ],
  trustedNamespaces: ['edge'],
};
const NAMESPACES: { [name: string]: object } = {
  'host-policy': {}, 'tenants': {}, 'team-a': {}, 'platform': {}, 'edge': {}, 'gateways': {}, 'dns': {}, 'hostile': { team: 'apps' }, 'apps': { team: 'apps', stage: 'production' },
};

let cluster: Cluster;
let admission: Admission;

async function enforce(props: HostOwnershipPolicyProps, id = 'hosts'): Promise<void> {
  const chart = new Chart(new App(), 'management');
  new HostOwnershipPolicy(chart, id, props);
  await cluster.apply(Testing.synth(chart), '--validate=strict', '--server-side', '--force-conflicts');
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  cluster = await Cluster.start({ behindIngress: false });
  admission = new Admission(cluster);
  await admission.install();
  await cluster.apply(Object.entries(NAMESPACES).map(([name, labels]) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })));
  await enforce(POLICY);
  // Each policy counts on its own, a moment after it is written.
  await Promise.all(Object.values(ROUTES).map(make => eventually(async () => (await admission.tries(make(VICTIM, 'hostile'))) !== undefined, 30_000)));
}, 240_000);

afterAll(stopParts);

describe.each(Object.entries(ROUTES))('%s', (_, make) => {
  test.each([
    ['its own domain', VICTIM, 'tenants'],
    ['the more specific domain', 'api.team-a.k8s.example.com', 'team-a'],
    ['a domain that is listed for labels of its namespace', 'shop.apps.example.com', 'apps'],
    ['a domain that nobody listed', 'shop.example.org', 'hostile'],
    ['a wildcard within its own domain', '*.apps.example.com', 'apps'],
    ['anything, in a trusted namespace', '*.example.com', 'edge'],
  ])('may take hosts of %s', async (_name, host, namespace) => {
    expect(await admission.tries(make(host, namespace))).toBeUndefined();
  });

  test.each([
    ['of another namespace', VICTIM, 'hostile'],
    ['that is another\'s domain itself', 'k8s.example.com', 'hostile'],
    ['of a domain below its own that is another\'s', 'api.team-a.k8s.example.com', 'tenants'],
    ['of the domain above its own', 'www.example.com', 'tenants'],
    ['of a domain for labels of which it has some', 'shop.apps.example.com', 'hostile'],
    ['that would be more specific', `a.b.c.${VICTIM}`, 'hostile'],
  ])('is refused with a host %s', async (_name, host, namespace) => {
    expect(await admission.tries(make(host, namespace))).toContain(`the host "${host}" does not belong to the namespace "${namespace}". ` +
      'Take one of a domain that does, or ask for an entry in ConfigMap host-policy/hosts.');
  });

  // Some definitions refuse some of these themselves.
  test.each([
    ['capitals', 'Tenant-01.K8S.example.com'], ['a final dot', `${VICTIM}.`], ['final dots', `${VICTIM}..`], ['a wildcard of it', '*.k8s.example.com'],
    ['a wildcard above its domain', '*.com'], ['a wildcard above that leaves more labels', '*.example.com'], ['every host', '*'], ['a port', `${VICTIM}:443`],
    ['a wildcard within a label', 'tenant-*.k8s.example.com'], ['a wildcard in the middle', 'tenant-01.*.example.com'], ['a letter that only looks alike', 'tenant-01.\u212a8s.example.com'],
    ['a space', ` ${VICTIM}`], ['a line break', `${VICTIM}\n`], ['a comma', `shop.example.org,${VICTIM}`], ['a regular expression', '~tenant-0[1]\\.k8s\\.example\\.com'],
    ['more labels than are looked up', `${'a.'.repeat(40)}${VICTIM}`], ['a NUL', `${VICTIM}\u0000`],
  ])('is refused with another\'s host hidden by %s', async (_name, host) => {
    expect(await admission.tries(make(host, 'hostile'))).toEqual(expect.any(String));
  });
});

test('an Ingress may have a port of its own at one controller, and not every host at another, which it names by an update', async () => {
  const backend = { defaultBackend: { service: { name: 'api', port: { number: 1 } } } };
  const own = { ...ROUTES.Ingress('', 'tenants'), metadata: { name: 'classes', namespace: 'tenants', annotations: { 'haproxy-ingress.github.io/tcp-service-port': '20001' } }, spec: { ingressClassName: 'haproxy', ...backend } };
  expect(await admission.creates(own)).toBeUndefined();
  expect(await admission.patches(own, { metadata: { annotations: { 'kubernetes.io/ingress.class': 'nginx' } } })).toContain('it takes every host');
  expect(await admission.deletes(own)).toBeUndefined();
});

describe('what this library writes is accepted', () => {
  test('every route of every controller, by host and by port, and records in DNS, where the exposures are given', async () => {
    const app = new App();
    const chart = new Chart(app, 'management');
    const controlPlanes = Object.entries(CONTROLLERS).filter(([name]) => !/user|v1alpha/.test(name)).map(([, make], i) => {
      const domain = `cluster-${i}.platform.test`;
      const controlPlane = (scope: Chart, byPort: boolean) => new IngressExposedControlPlane(scope, `tenant-${i}`, {
        namespace: 'tenants',
        kubernetesVersion: '1.31.0',
        domain,
        konnectivity: {},
        platform: new PlainPlatform(),
        controller: make(scope, domain),
        kubernetesService: byPort ? KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 30010 + i }) : undefined,
      });
      const byPort = routesByPort(() => controlPlane(new Chart(new App(), 'probe'), true));
      const made = controlPlane(chart, byPort);
      if (byPort) new KubernetesServiceEndpoints(new Chart(app, `tenant-${i}`), 'kubernetes', { controlPlane: made });
      return made;
    });
    const exposures = controlPlanes.map(({ exposure }) => exposure);
    new ExternalDnsEndpoint(chart, 'records', {
      dns: new TenantDns({ exposures, target: DnsTarget.addresses(['203.0.113.10']), zones: ['platform.test'] }), namespace: 'dns',
    });
    const routes = Testing.synth(chart).filter(({ apiVersion, kind }: any) => admission.knows(apiVersion, kind));
    expect(new Set(routes.map(({ kind }: any) => kind))).toEqual(new Set([
      'DNSEndpoint', 'Gateway', 'HTTPProxy', 'Ingress', 'IngressRouteTCP', 'ListenerSet', 'Route', 'Service', 'TCPRoute', 'TLSRoute', 'TransportServer', 'VirtualService',
    ]));

    await enforce({ namespace: 'host-policy', exposures, domains: [{ domain: 'platform.test', namespaces: ['platform'] }], trustedNamespaces: ['dns', 'gateways'] }, 'own');
    // Each policy counts a moment after it is written.
    for (const route of routes.filter(({ kind, metadata }: any) => kind !== 'Service' && metadata.namespace === 'tenants')) {
      const stolen = { ...route, metadata: { ...route.metadata, namespace: 'hostile' } };
      await eventually(async () => {
        expect([route, await admission.tries(stolen)]).toEqual([route, expect.stringMatching(/does not belong to the namespace|it takes every host/)]);
        return true;
      }, 30_000);
    }
    for (const route of routes) {
      expect([route, await admission.tries(route)]).toEqual([route, undefined]);
    }
  });
});

function routesByPort(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

describe('a rule of Traefik', () => {
  const rule = (match: string, entryPoints?: string[]) => ({
    ...ROUTES['IngressRouteTCP of Traefik'](VICTIM, 'hostile'), spec: { entryPoints, routes: [{ match, services: [{ name: 'api', port: 6443 }] }] },
  });

  test.each([
    'HostSNI(`shop.example.org`)', 'HostSNI("shop.example.org") && ClientIP(`10.0.0.0/8`, `192.0.2.1`)', '(hostsni(`a.example.org`) || HOSTSNI(`b.example.org`)) && !ALPN(`h2`)',
  ])('may be %s', async match => {
    expect(await admission.tries(rule(match))).toBeUndefined();
  });

  test.each([
    `HostSNI(\`shop.example.org\`) || HostSNI(\`${VICTIM}\`)`, `HostSNI(\`shop.example.org\`, "${VICTIM}")`, 'HostSNI(`shop.example.org`)||ClientIP(`0.0.0.0/0`)',
    'HostSNIRegexp(`^.+$`)', 'HostSNI(`*`)', '!HostSNI(`shop.example.org`)', '!(HostSNI(`shop.example.org`))', 'ClientIP(`0.0.0.0/0`)', 'ALPN(`h2`)', '',
    'HostSNI("tenant-01\\x2ek8s.example.com")', `HostSNI(/* \`shop.example.org\` */ \`${VICTIM}\`)`, 'HostSNI(`tenant-01.k8s.\rexample.com`)',
    `ALPN("HostSNI(\`") && HostSNI(\`),\`, \`${VICTIM}\`)`, `HostSNI ( \`${VICTIM}\` )`, `HostSNI(\n\`${VICTIM}\`\n)`,
  ])('is refused as %j', async match => {
    expect(await admission.tries(rule(match))).toContain('denied request');
  });

  test('may lead every host at the port of its own, and at no other entry point', async () => {
    const own = { ...rule('HostSNI(`*`)', ['port-20001']), metadata: { name: 'route', namespace: 'tenants' } };
    expect(await admission.tries(own)).toBeUndefined();
    expect(await admission.tries(rule('HostSNI(`*`)', ['port-20001']))).toContain('the host "port-20001" does not belong');
    expect(await admission.tries({ ...own, spec: { ...own.spec, entryPoints: ['port-20001', 'websecure'] } })).toContain('denied request');
  });
});

describe('a hostile object', () => {
  const ingress = ROUTES.Ingress('shop.example.org', 'hostile');
  const annotated = (annotations: object, object = ingress) => ({ ...object, metadata: { ...object.metadata, annotations } });
  const withPath = (path: string, annotations = {}) => {
    const [{ host, http: { paths: [of] } }] = ingress.spec.rules;
    return annotated(annotations, { ...ingress, spec: { rules: [{ host, http: { paths: [{ ...of, path, pathType: 'ImplementationSpecific' }] } }] } });
  };

  test.each<[string, any]>([
    ['a default backend', { ...ingress, spec: { defaultBackend: { service: { name: 'api', port: { number: 1 } } } } }],
    ['a rule without a host', { ...ingress, spec: { rules: [...ingress.spec.rules, { http: ingress.spec.rules[0].http }] } }],
    ['a certificate for the host', { ...ingress, spec: { ...ingress.spec, tls: [{ hosts: [VICTIM], secretName: 'own' }] } }],
    ['an alias', annotated({ 'nginx.ingress.kubernetes.io/server-alias': `a.example.org, ${VICTIM}` })],
    ['an alias of HAProxy Ingress', annotated({ 'haproxy-ingress.github.io/server-alias': VICTIM })],
    ['an alias by a regular expression', annotated({ 'haproxy-ingress.github.io/server-alias-regex': '.*' })],
    ['a redirect to the name without www', annotated({ 'nginx.ingress.kubernetes.io/from-to-www-redirect': 'true' }, ROUTES.Ingress('www.closed.example.net', 'platform2'))],
    ['a snippet', annotated({ 'nginx.ingress.kubernetes.io/server-snippet': '}' })],
    ['a snippet of HAProxy', annotated({ 'haproxy.org/backend-config-snippet': 'x' })],
    ['a record in DNS for an Ingress', annotated({ 'external-dns.alpha.kubernetes.io/hostname': VICTIM })],
    ['a record in DNS for a Service', annotated({ 'external-dns.alpha.kubernetes.io/hostname': `shop.example.org,${VICTIM}` }, {
      apiVersion: 'v1', kind: 'Service', metadata: { name: 'lb', namespace: 'hostile' }, spec: { type: 'LoadBalancer', ports: [{ port: 443 }] },
    })],
    ['a configuration before or after that of a backend', annotated({ 'haproxy-ingress.github.io/config-backend-early': 'x' })],
    ['a condition of HAProxy on a Service', annotated({ 'haproxy.org/route-acl': 'always_false } || { always_true' }, {
      apiVersion: 'v1', kind: 'Service', metadata: { name: 'api', namespace: 'hostile' }, spec: { ports: [{ port: 443 }] },
    })],
    ['a matcher of Traefik that is a rule of its own', annotated({ 'traefik.ingress.kubernetes.io/router.pathMatcher': 'PathPrefix(`/`) || HostRegexp(`.*`) && PathPrefix' })],
    ['domains of Traefik in capitals', annotated({ 'traefik.ingress.kubernetes.io/router.TLS.domains.0.Main': VICTIM })],
    ['a path that ends its line in a map', withPath(`/a\n${VICTIM}/\tbackend`)],
    ['a path that ends its text in a rule', withPath('/`) || HostRegexp(`.*')],
    ['a path that ends its text in a configuration', withPath('/" {')],
    ['a port that is another\'s', annotated({ 'haproxy-ingress.github.io/tcp-service-port': '20001' }, { ...ingress, spec: { ingressClassName: 'haproxy', defaultBackend: { service: { name: 'api', port: { number: 1 } } } } })],
    ['a wildcard policy', { ...ROUTES['Route of OpenShift']('shop.k8s.example.com', 'tenants'), spec: { host: 'team-a.k8s.example.com', wildcardPolicy: 'Subdomain', to: { kind: 'Service', name: 'a' } } }],
    ['a subdomain of the router', { ...ROUTES['Route of OpenShift']('', 'hostile'), spec: { subdomain: 'tenant-01', to: { kind: 'Service', name: 'a' } } }],
    ['no hosts of a TLSRoute', { ...ROUTES.TLSRoute('', 'hostile'), spec: { parentRefs: [{ name: 'public' }], rules: [{ backendRefs: [{ name: 'a', port: 1 }] }] } }],
    ['no hosts of an HTTPRoute', { ...ROUTES.HTTPRoute('', 'hostile'), spec: {} }],
    ['a VirtualService of every host at the port of TLS', { ...ROUTES['VirtualService of Istio']('*', 'hostile'), spec: { hosts: ['*'], gateways: ['istio-system/public'], tcp: [{ match: [{ port: 443 }] }] } }],
    ['a VirtualService at another\'s port', { ...ROUTES['VirtualService of Istio']('*', 'hostile'), spec: { hosts: ['*'], gateways: ['istio-system/public'], tcp: [{ match: [{ port: 20001 }] }] } }],
    ['a VirtualService in the mesh', { ...ROUTES['VirtualService of Istio']('*', 'tenants'), spec: { hosts: ['*'], tcp: [{ match: [{ port: 20001 }] }] } }],
    ['a VirtualService with names of TLS that are not among its hosts', { ...ROUTES['VirtualService of Istio']('shop.example.org', 'hostile'), spec: { hosts: ['shop.example.org'], gateways: ['istio-system/public'], tls: [{ match: [{ sniHosts: [VICTIM] }] }] } }],
    ['a TCPRoute to the port of TLS', { apiVersion: 'gateway.networking.k8s.io/v1alpha2', kind: 'TCPRoute', metadata: { name: 'r', namespace: 'hostile' }, spec: { parentRefs: [{ name: 'public', port: 443 }] } }],
    ['a TCPRoute to a listener', { apiVersion: 'gateway.networking.k8s.io/v1alpha2', kind: 'TCPRoute', metadata: { name: 'r', namespace: 'hostile' }, spec: { parentRefs: [{ name: 'public', sectionName: 'tls' }] } }],
    ['a TCPRoute to another\'s port', { apiVersion: 'gateway.networking.k8s.io/v1alpha2', kind: 'TCPRoute', metadata: { name: 'r', namespace: 'hostile' }, spec: { parentRefs: [{ name: 'public', port: 20001 }] } }],
    ['snippets of F5', { ...ROUTES['VirtualServer of F5']('shop.example.org', 'hostile'), spec: { 'host': 'shop.example.org', 'server-snippets': 'x' } }],
    ['a TransportServer for every host', { ...ROUTES['TransportServer of F5']('', 'hostile'), spec: { listener: { name: 'tls-passthrough', protocol: 'TLS_PASSTHROUGH' } } }],
    ['domains of certificates', { ...ROUTES['IngressRoute of Traefik']('shop.example.org', 'hostile'), spec: { routes: [], tls: { domains: [{ main: 'shop.example.org', sans: [VICTIM] }] } } }],
    ['a host that is no text', { ...ROUTES['VirtualServer of F5']('', 'hostile'), spec: { host: [VICTIM] } }],
    ['more hosts than can be looked at', { ...ROUTES.HTTPRoute('', 'hostile'), spec: { hostnames: [...Array.from({ length: 20_000 }, (_, i) => `a${i}.example.org`), VICTIM] } }],
  ])('is refused that takes hosts by %s', async (_, object) => {
    expect(await admission.tries(object)).toMatch(/denied request|Invalid value|is invalid|not found/);
  });

  test('is refused with more than 1,000 hosts, whosever they are, before they are compared', async () => {
    const withHosts = (count: number) => ({ ...ROUTES.HTTPRoute('', 'tenants'), spec: { hostnames: Array.from({ length: count }, (_, i) => `a${i}.k8s.example.com`) } });
    expect(await admission.tries(withHosts(1000))).toBeUndefined();
    expect(await admission.tries(withHosts(1025))).toContain('it takes more than 1000 hosts. Spread them over several objects.');
  });

  test('is told from one with a regular expression of paths, and with what Traefik matches these by', async () => {
    expect(await admission.tries(withPath('/api(/|$)(.*)', { 'traefik.ingress.kubernetes.io/router.pathmatcher': 'PathRegexp' }))).toBeUndefined();
  });

  test('is refused when it takes the host later, by an update or while it is being deleted, and can always go', async () => {
    const route = { ...ROUTES.Ingress('shop.example.org', 'hostile', 'later'), metadata: { name: 'later', namespace: 'hostile', finalizers: ['hostile.example/keep'] } };
    const taken = { spec: ROUTES.Ingress(VICTIM, 'hostile').spec };
    expect(await admission.creates(route)).toBeUndefined();
    expect(await admission.patches(route, taken)).toContain('does not belong');
    expect(await admission.patches(route, { metadata: { annotations: { 'nginx.ingress.kubernetes.io/server-alias': VICTIM } } })).toContain('does not belong');
    expect(await admission.deletes(route)).toBeUndefined();
    expect((await cluster.get('ingress', 'hostile', 'later')).metadata.deletionTimestamp).toBeDefined();
    expect(await admission.patches(route, taken)).toContain('does not belong');
    expect(await admission.patches(route, { metadata: { finalizers: null } })).toBeUndefined();
    expect(await cluster.get('ingress', 'hostile', 'later')).toBeUndefined();
  });

  test('that was there before the policy can go, and do nothing else', async () => {
    const route = { ...ROUTES.Ingress(VICTIM, 'edge', 'before'), metadata: { name: 'before', namespace: 'edge', finalizers: ['example.com/keep'] } };
    expect(await admission.creates(route)).toBeUndefined();
    await enforce({ ...POLICY, trustedNamespaces: undefined }, 'stricter');
    await eventually(async () => (await admission.tries(ROUTES.Ingress(VICTIM, 'edge'))) !== undefined, 30_000);
    expect(await admission.patches(route, { metadata: { labels: { a: 'b' } } })).toContain('does not belong');
    expect(await admission.deletes(route)).toBeUndefined();
    expect(await admission.patches(route, { metadata: { finalizers: null } })).toBeUndefined();
    expect(await cluster.get('ingress', 'edge', 'before')).toBeUndefined();
  });
});

test('whatever hosts an object names, it is refused exactly when it could take a name of others', async () => {
  const label = fc.constantFrom('k8s', 'team-a', 'example', 'com', 'apps', 'closed', 'net', 'x', 'tenant-01', 'K8S', 'eXample');
  const domain = fc.constantFrom('example.com', 'k8s.example.com', 'team-a.k8s.example.com', 'Closed.example.net', 'example.net', 'x.org', 'com');
  const host = fc.tuple(fc.constantFrom('', '*.'), fc.array(label, { maxLength: 3 }), domain, fc.constantFrom('', '.'))
    .map(([star, labels, base, dot]) => `${star}${[...labels, base].join('.')}${dot}`);
  const namespace = fc.constantFrom('hostile', 'tenants', 'team-a', 'platform');
  await fc.assert(fc.asyncProperty(fc.array(host, { minLength: 1, maxLength: 4 }), namespace, async (hosts, of) => {
    const answer = await admission.tries({ ...ROUTES.HTTPRoute('', of), spec: { hostnames: hosts } });
    expect(answer === undefined).toBe(hosts.every(one => !takesOthers(one.toLowerCase().replace(/\.$/, ''), of)));
  }), { numRuns: 400 });
}, 240_000);

/** Said anew, by names and not by domains: whether a name that the host takes has another owner. */
function takesOthers(host: string, namespace: string): boolean {
  const domains = { ...OWNERS, 'apps.example.com': 'apps' };
  const ownerOf = (name: string) => {
    const [owner] = Object.keys(domains).filter(domain => name === domain || name.endsWith(`.${domain}`)).sort((a, b) => b.length - a.length);
    return owner === undefined ? namespace : (domains as any)[owner];
  };
  const base = host.replace(/^\*\./, '');
  const names = [base, `a.${base}`, ...Object.keys(domains).flatMap(domain => [domain, `a.${domain}`])].filter(name => takes(host, name));
  return names.some(name => ownerOf(name) !== namespace);
}

describe('at the size of a platform', () => {
  test('5,000 control planes fit, hosts and wildcards among them are told apart, and a domain that is not listed is refused where that is asked for', async () => {
    const domains = Array.from({ length: 10_000 }, (_, i) => ({ domain: `tenant-${i}.${i % 2 ? 'k8s' : 'konnectivity'}.eu-1.platform.example`, namespaces: [`tenant-${i}`] }));
    await enforce({ namespace: 'host-policy', domains, onlyListedDomains: true, trustedNamespaces: ['edge', 'gateways', 'platform', 'team-a', 'hostile', 'apps'] }, 'large');
    await eventually(async () => (await admission.tries(ROUTES.Ingress('shop.example.org', 'tenants'))) !== undefined, 30_000);
    expect(await admission.tries(ROUTES.Ingress('tenant-9999.k8s.eu-1.platform.example', 'tenants'))).toContain('does not belong');
    expect(await admission.tries(ROUTES.Ingress('*.eu-1.platform.example', 'tenants'))).toContain('does not belong');
    await cluster.kubectl(['create', 'namespace', 'tenant-9999']);
    expect(await admission.tries(ROUTES.Ingress('tenant-9999.k8s.eu-1.platform.example', 'tenant-9999'))).toBeUndefined();
    if (process.env.SHOW_FIGURES) await showFigures();
  });

  test('without the ConfigMap nothing that routes is accepted', async () => {
    await cluster.kubectl(['delete', 'configmap', 'hosts', '--namespace=host-policy']);
    await eventually(async () => (await admission.tries(ROUTES.Ingress('shop.example.org', 'hostile')))?.includes('hosts-ingress'), 30_000);
    await enforce(POLICY);
    await eventually(async () => (await admission.tries(ROUTES.Ingress('shop.example.org', 'hostile'))) === undefined, 30_000);
  });
});

async function showFigures(): Promise<void> {
  const probe = ROUTES.Ingress('tenant-9999.k8s.eu-1.platform.example', 'tenant-9999');
  const perRequest = async () => {
    const started = process.hrtime.bigint();
    for (let i = 0; i < 100; i++) await admission.tries(probe);
    return (Number(process.hrtime.bigint() - started) / 1e8).toFixed(1);
  };
  const withAll = await perRequest();
  await cluster.kubectl(['delete', 'validatingadmissionpolicybinding', 'large-ingress']);
  await eventually(async () => (await admission.tries(ROUTES.Ingress('shop.example.org', 'tenants'))) === undefined, 30_000);
  console.log(`ms of a request with 10,000 domains: ${withAll}, without: ${await perRequest()}`);
}
