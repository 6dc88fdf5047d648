import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import {
  ControlPlaneEntry, ControlPlanePlatform, Exposure, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  KubernetesServicePath, ServingCertificate, SharedIngressGateway, SynthesizedPlatform, Warnings,
} from '../../src';
import { controlPlaneOf, CONTROLLERS, PLATFORMS } from '../conformance/matrix';
import { PlainController, PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

const CIDRS = ['10.0.0.0/8'];
const EDGE = 'gateways/ConfigMap/edge-routes';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** The objects of a management cluster by what they are called, and what is wrong with it. */
interface Synthesized {
  readonly objects: Map<string, any>;
  readonly errors: string[];
  readonly exposure: Exposure;
}

interface Wish {
  readonly platform: string;
  readonly main: string;
  readonly further?: Partial<IngressExposedControlPlaneProps>;
}

/** An app with the edges of two controllers and a control plane behind one of them, or both. */
function synthesize({ platform, main, further = {} }: Wish, by?: string, entries: Omit<ControlPlaneEntry, 'controller'>[] = []): Synthesized {
  const app = new App();
  const edges = new Chart(app, 'edges');
  const management = new Chart(app, 'management');
  const controllers = new Map([...new Set([main, ...by === undefined ? [] : [by]])].map(name => [name, CONTROLLERS[name](edges, 'example.com')]));
  const { exposure } = new IngressExposedControlPlane(management, 'tenant-01', {
    ...controlPlaneOf({ platform, controller: main, konnectivity: true }, 'tenant-01'),
    ...further,
    controller: controllers.get(main)!,
    ...entries.length > 0 && { furtherEntries: entries.map(entry => ({ ...entry, controller: controllers.get(by!)! })) },
  });
  const all = [...edges.toJson(), ...management.toJson()];
  const objects = new Map(all.map(object => [keyOf(object), object]));
  // Claims know control planes alone.
  expect(all.map(keyOf).sort()).toEqual([...objects.keys()].sort());
  return { objects, exposure, errors: app.node.findAll().flatMap(({ node }) => node.validate()) };
}

function keyOf({ kind, metadata: { namespace, name } }: any): string {
  return `${namespace}/${kind}/${name}`;
}

/** An object without hosts in its lists, also those of what it tells readers of a kind that they do not know. */
function withoutSans(object: any, hosts: string[]): any {
  const text = JSON.stringify(object, (key, value) => key === 'cdk8s-hosted-control-plane/description' ? JSON.stringify(withoutSans(JSON.parse(value), hosts))
    : Array.isArray(value) ? value.filter(item => !hosts.includes(item.host ?? item)) : value);
  // k0smotron has no list where it adds all names itself.
  return JSON.parse(text.replace('"api":{"sans":[]},', ''));
}

const PUBLIC = { name: 'public', hostname: 'tenant-01-public.k8s.example.com', konnectivityHostname: 'tenant-01-public.konnectivity.example.com' };
const CUSTOMER = { name: 'customer', hostname: 'tenant-01-customer.k8s.example.com' };

/** Platforms whose servers have certificates for further hosts. */
const EXTENSIBLE = Object.keys(PLATFORMS).filter(name => !name.startsWith('hypershift'));
/** Of which konnectivity's is for one host. */
const ONE_HOST_OF_KONNECTIVITY = /^steward/;

describe('an entry that comes or goes', () => {
  test('changes nothing of the others but the names in the certificate', () => {
    const kept = new Set<string>();
    fc.assert(fc.property(
      fc.constantFrom(...EXTENSIBLE), fc.constantFrom(...Object.keys(CONTROLLERS)), fc.constantFrom(...Object.keys(CONTROLLERS)), fc.boolean(),
      (platform, main, by, both) => {
        const wish = { platform, main };
        const before = attempt(() => synthesize(wish));
        const hosts = [PUBLIC.hostname, PUBLIC.konnectivityHostname, CUSTOMER.hostname];
        fc.pre(before !== undefined && before.errors.length === 0);
        const entry = ONE_HOST_OF_KONNECTIVITY.test(platform) ? { ...PUBLIC, konnectivityHostname: undefined } : PUBLIC;
        const after = attempt(() => synthesize(wish, by, both ? [entry, CUSTOMER] : [entry]));
        fc.pre(after !== undefined);
        expect(after!.errors).toEqual([]);
        for (const [key, object] of before!.objects) {
          if (key.startsWith(EDGE)) {
            expectLinesKept(object, after!.objects.get(key), hosts);
          } else {
            expect([key, withoutSans(after!.objects.get(key), hosts)]).toEqual([key, object]);
          }
        }
        // What came is the entry's by its name.
        const came = [...after!.objects.keys()].filter(key => !before!.objects.has(key) && !key.startsWith('gateways/'));
        expect(came.filter(key => !/tenant-01.*(public|customer)/.test(key) && !isOfEdge(key))).toEqual([]);
        expect(after!.exposure.routes.slice(0, before!.exposure.routes.length)).toEqual(before!.exposure.routes);
        expect(after!.exposure.kubeconfigServer).toBe(before!.exposure.kubeconfigServer);
        expect(after!.exposure.konnectivityAgentArgs).toEqual(before!.exposure.konnectivityAgentArgs);
        kept.add(by);
      }), { numRuns: 250, maxSkipsPerRun: 1_000 });
    // Ports beside 443, listeners of other hosts: some pairs are refused, no controller is always.
    expect(kept.size).toBeGreaterThan(10);
  });

  test.each(Object.keys(CONTROLLERS))('is one object for each of its hosts behind %s, named by it', by => {
    const { objects, exposure } = synthesize({ platform: 'kamaji, routes of this library', main: 'traefik' }, by, [PUBLIC]);
    expect(exposure.entries).toEqual(['public']);
    expect(exposure.dnsNamesOf('public')).toEqual([PUBLIC.hostname, PUBLIC.konnectivityHostname]);
    expect(exposure.certSans).toEqual(expect.arrayContaining([PUBLIC.hostname, PUBLIC.konnectivityHostname]));
    const text = JSON.stringify([...objects].filter(([key]) => !/TenantControlPlane/.test(key)));
    for (const host of [PUBLIC.hostname, PUBLIC.konnectivityHostname]) {
      expect(text).toContain(host);
    }
    if (by !== 'the shared gateway of this library') {
      expect([...objects.keys()]).toEqual(expect.arrayContaining(['kube-apiserver-public', 'konnectivity-server-public'].map(route => expect.stringContaining(`tenant-01-${route}`))));
    }
    objects.forEach(object => expectValid(object));
  });
});

function isOfEdge(key: string): boolean {
  return /\/(Gateway|ListenerSet|IngressClass|ReferenceGrant)\//.test(key);
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function expectLinesKept(before: any, after: any, hosts: string[]): void {
  for (const [table, text] of Object.entries<string>(before.data)) {
    const lines = (after.data[table] as string).split('\n');
    expect(lines.filter(line => !hosts.includes(line.split(' ')[0])).join('\n')).toEqual(text);
  }
}

describe('sources', () => {
  test('are of the entry that has them alone: a private address and a public one', () => {
    const { objects } = synthesize({ platform: 'kamaji', main: 'traefik', further: { allowedCidrs: CIDRS } }, 'haproxy', [PUBLIC]);
    expect(JSON.stringify(objects.get('tenants/MiddlewareTCP/tenant-01-allowed-cidrs'))).toContain(CIDRS[0]);
    expect(JSON.stringify(objects.get('tenants/Ingress/tenant-01-kube-apiserver-public'))).not.toContain('allow-list');
  });

  test.each(Object.keys(CONTROLLERS))('of two entries at %s are two lists, or they are an error', by => {
    const ofEntry = (name: string, cidr: string) => ({ name, hostname: `${name}.k8s.example.com`, allowedCidrs: [cidr] });
    const make = () => synthesize({ platform: 'kamaji', main: by }, by, [ofEntry('one', '192.0.2.0/24'), ofEntry('two', '198.51.100.0/24')]);
    const error = errorOf(make);
    if (error === undefined) {
      const { objects, errors } = make();
      expect(errors).toEqual([]);
      // Whatever carries the networks of an entry is not that of the other.
      const carriers = [...objects.values()].filter(({ metadata }) => !/routes-\d/.test(metadata.name)).map(object => JSON.stringify(object));
      expect(carriers.filter(text => text.includes('192.0.2.0') && text.includes('198.51.100.0'))).toEqual([]);
    } else {
      expect(error).toMatch(/allowedCidrs/);
    }
  });

  test('haproxy-ingress has one list for a port of a Service, so that two are an error', () => {
    const controller = IngressController.haproxyIngress();
    expect(() => tenant({ controller, furtherEntries: [{ name: 'public', hostname: 'public.example.com', allowedCidrs: CIDRS }] }))
      .toThrow('allowedCidrs of the entry public: ["10.0.0.0/8"] is not that of the control plane, and haproxy-ingress has one list for all hosts that lead to a port of a Service.');
    expect(() => tenant({ controller, furtherEntries: [{ name: 'public', hostname: 'public.example.com', allowedCidrs: CIDRS, controller: IngressController.haproxyIngress({ ingressClassName: 'public' }) }] }))
      .not.toThrow();
  });

  test('are two lists at one gateway, whose agent takes their names', () => {
    const chart = new Chart(new App(), 'management');
    const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'gateways' });
    const controller = gateway.asController();
    tenant({ controller, allowedCidrs: CIDRS, furtherEntries: [{ name: 'public', hostname: 'public.example.com', allowedCidrs: ['192.0.2.0/24'] }] }, chart);
    const data = Testing.synth(chart).filter(({ kind, metadata }) => kind === 'ConfigMap' && /routes/.test(metadata.name)).map(object => object.data);
    const text = (table: string) => data.map(tables => tables[`${table}.map`]).join('');
    expect(text('allowed')).toMatch(/^10\.0\.0\.0\/8@tenants\/tenant-01 1$/m);
    const list = /^192\.0\.2\.0\/24@(\S+) 1$/m.exec(text('allowed'))![1];
    expect(list).toMatch(/^tenants\/0-public-[0-9a-f]{20}$/);
    expect(text('hosts')).toContain(`public.example.com tenant-01.tenants.svc.cluster.local:6443:${list}\n`);
    expect(text('hosts')).toContain('tenant-01.k8s.example.com tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01\n');
  });
});

describe('a host', () => {
  const entry = (further: object): ControlPlaneEntry => ({ name: 'public', hostname: 'public.example.com', ...further });

  test.each<[string, Partial<IngressExposedControlPlaneProps>, string]>([
    ['that of the main entry', { furtherEntries: [entry({ hostname: 'tenant-01.k8s.example.com' })] }, 'is also the endpoint of kube-apiserver'],
    ['that of the main entry at another port', { furtherEntries: [entry({ hostname: 'tenant-01.k8s.example.com', port: 8443 })] }, 'is also that of kube-apiserver, and a host leads to one entry'],
    ['that of another entry', { furtherEntries: [entry({}), entry({ name: 'other' })] }, 'is also the endpoint of kube-apiserver-public'],
    ['twice in one entry', { furtherEntries: [entry({ konnectivityHostname: 'public.example.com' })] }, 'is also the endpoint of kube-apiserver-public'],
    ['none', { furtherEntries: [{ name: 'public' }] }, 'furtherEntries[0].hostname: is not set, and neither is konnectivityHostname, so that the entry leads nowhere'],
    ['of konnectivity without konnectivity', { konnectivity: undefined, furtherEntries: [{ name: 'public', konnectivityHostname: 'a.example.com' }] }, 'leads to no server: the control plane has no konnectivity'],
    ['of an entry with the name of another', { furtherEntries: [entry({}), entry({ hostname: 'b.example.com' })] }, 'furtherEntries[1].name: "public" is the name of another entry of this control plane'],
    ['of an entry that is called konnectivity', { furtherEntries: [entry({ name: 'konnectivity' })] }, 'is the entry of konnectivity where that has a controller of its own'],
    ['of an entry with a long name', { furtherEntries: [entry({ name: 'a'.repeat(41) })] }, 'has more than 40 characters'],
    ['that is an address', { furtherEntries: [entry({ hostname: '192.0.2.1' })] }, 'furtherEntries[0].hostname'],
  ])('is refused: %s', (_, props, message) => {
    expect(() => tenant({ konnectivity: {}, ...props })).toThrow(message);
  });

  test('belongs to one control plane of the app, whichever entry it is of', () => {
    const chart = new Chart(new App(), 'management');
    tenant({ furtherEntries: [entry({})] }, chart, 'tenant-01');
    tenant({ hostname: 'public.example.com', controller: IngressController.contour() }, chart, 'tenant-02');
    expect(chart.node.root.node.validate()).toEqual([expect.stringContaining('SNI host: "public.example.com:443" is used by both management/tenant-01 and management/tenant-02')]);
  });

  test('of an entry that somebody else takes is an error', () => {
    const chart = new Chart(new App(), 'management');
    tenant({ furtherEntries: [entry({ controller: IngressController.contour() })] }, chart);
    new ApiObject(chart, 'taken', { apiVersion: 'projectcontour.io/v1', kind: 'HTTPProxy', metadata: { name: 'taken' }, spec: { virtualhost: { fqdn: 'public.example.com' } } });
    expect(chart.node.root.node.validate()).toEqual([expect.stringContaining('"public.example.com" of management/tenant-01 (kube-apiserver-public) is also taken')]);
  });

  test('of an entry reaches a controller of the user\'s own, under the name of the entry', () => {
    const { routeObjects } = tenant({ furtherEntries: [entry({ controller: new PlainController(), port: 8443 })] });
    expect(routeObjects.map(object => object.name)).toEqual(['tenant-01-kube-apiserver', 'tenant-01-kube-apiserver-public']);
  });

  test('of an entry has a name of its own, whatever control planes and entries are called', () => {
    fc.assert(fc.property(fc.constantFrom('a', 'a-b', 'a-public'), fc.constantFrom('b', 'public', 'b-public'), fc.constantFrom('a', 'a-b', 'a-public', 'a-b-public'), (name, of, other) => {
      fc.pre(name !== other);
      const chart = new Chart(new App(), 'management');
      tenant({ name, hostname: 'one.example.com', furtherEntries: [entry({ name: of })] }, chart, 'one');
      tenant({ name: other, hostname: 'two.example.com' }, chart, 'two');
      expect(chart.node.root.node.validate()).toEqual([]);
    }));
  });
});

test('a further host of konnectivity is refused where its certificate is for one host', () => {
  expect(() => tenant({ platform: ControlPlanePlatform.steward(), konnectivity: {}, furtherEntries: [PUBLIC] }))
    .toThrow(`konnectivityHostname of the entry public: "${PUBLIC.konnectivityHostname}" is not the host that Steward issues the konnectivity certificate for, "tenant-01.konnectivity.example.com"`);
});

describe('konnectivity with a controller of its own', () => {
  const OWN = { konnectivity: { hostname: 'agents.example.net', controller: IngressController.haproxy() } };

  test('has its route there, and the API server its own', () => {
    const chart = new Chart(new App(), 'management');
    const { exposure, routeObjects } = tenant(OWN, chart);
    expect(routeObjects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['IngressRouteTCP tenant-01-kube-apiserver', 'Ingress tenant-01-konnectivity-server']);
    expect([exposure.dnsNames, exposure.entries, exposure.dnsNamesOf('konnectivity')]).toEqual([['tenant-01.k8s.example.com'], ['konnectivity'], ['agents.example.net']]);
    expect(exposure.konnectivityAgentArgs).toEqual(['--proxy-server-host=agents.example.net', '--proxy-server-port=443']);
    expect(exposure.certSans).toContain('agents.example.net');
    expect(chart.node.root.node.validate()).toEqual([]);
  });

  test('has the sources of the control plane, unless it has others', () => {
    const list = (konnectivity: object) => tenant({ allowedCidrs: CIDRS, konnectivity: { ...OWN.konnectivity, ...konnectivity } })
      .routeObjects[1].toJson().metadata.annotations['haproxy.org/allow-list'];
    expect([list({}), list({ allowedCidrs: ['192.0.2.0/24'] })]).toEqual(['10.0.0.0/8', '192.0.2.0/24']);
  });

  test('is an error with sources and without a controller', () => {
    expect(() => tenant({ konnectivity: { allowedCidrs: CIDRS } })).toThrow('konnectivity.allowedCidrs: ["10.0.0.0/8"] has no effect without a controller of its own');
  });

  test('is not left to an operator that knows one controller', () => {
    const haproxy = IngressController.haproxy();
    const made = (platform: string, konnectivity: object) => {
      const chart = new Chart(new App(), 'management');
      const of = tenant({ ...controlPlaneOf({ platform, controller: 'haproxy', konnectivity: true }, 'tenant-01'), controller: haproxy, konnectivity }, chart);
      return of.operatorRoutes.map(({ name }) => name);
    };
    expect(made('k0smotron', {})).toEqual(['kube-apiserver', 'konnectivity-server']);
    expect(made('k0smotron', { controller: IngressController.traefik() })).toEqual([]);
    expect(made('steward', { controller: IngressController.traefik() })).toEqual(['kube-apiserver']);
  });

  test('needs a host that the API server does not have, as a host resolves to one address', () => {
    const controller = IngressController.traefik({ entryPointsByPort: { 8132: 'agents' } });
    expect(() => tenant({ konnectivity: { hostname: 'tenant-01.k8s.example.com', port: 8132, controller } }))
      .toThrow('is also that of kube-apiserver, and a host leads to one entry');
  });
});

describe('readers of manifests', () => {
  test('find nothing wrong with entries, and a host without its name in the certificate', () => {
    const app = new App();
    const chart = new Chart(app, 'management');
    const { platformObject } = tenant({
      platform: ControlPlanePlatform.kamaji(),
      kubernetesService: KubernetesServicePath.none({ reason: 'a test' }),
      konnectivity: { hostname: 'agents.example.net', controller: IngressController.haproxy() },
      furtherEntries: [{ ...CUSTOMER, certificate: ServingCertificate.existingSecret('customer') }, { ...PUBLIC, controller: IngressController.contour() }],
    }, chart);
    const codes = () => SynthesizedPlatform.ofApp(app).findings().map(({ code }) => code);
    // That of a tenant without a tcp-proxy, of which nothing is among these manifests.
    expect(codes()).toEqual(withoutEntries());
    const { certSANs } = platformObject.toJson().spec.networkProfile;
    platformObject.addJsonPatch(JsonPatch.replace('/spec/networkProfile/certSANs', certSANs.filter((san: string) => san !== PUBLIC.hostname)));
    expect(codes()).toEqual([...withoutEntries(), 'HCP208'].sort());
  });

  function withoutEntries(): string[] {
    const app = new App();
    tenant({ platform: ControlPlanePlatform.kamaji(), konnectivity: {}, kubernetesService: KubernetesServicePath.none({ reason: 'a test' }) }, new Chart(app, 'management'));
    return SynthesizedPlatform.ofApp(app).findings().map(({ code }) => code);
  }
});

describe('an entry of a control plane of elsewhere', () => {
  const elsewhere = (chart: Chart) => IngressExposedControlPlane.fromAttributes(chart, 'tenant-01', { namespace: 'tenants', hostname: 'tenant-01.k8s.example.com', furtherEntries: [PUBLIC, CUSTOMER], konnectivity: { hostname: 'agents.example.com' } });

  test('is known to DNS', () => {
    const { exposure } = elsewhere(new Chart(new App(), 'management'));
    expect([exposure.entries, exposure.dnsNamesOf('customer')]).toEqual([['public', 'customer'], [CUSTOMER.hostname]]);
    expect(() => exposure.dnsNamesOf('pubic')).toThrow('entry: "pubic" is not an entry of tenants/tenant-01. Name one of "public", "customer".');
  });

  test('is routed by a gateway that registers it, and no other', () => {
    const chart = new Chart(new App(), 'management');
    const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'gateways', routeShards: 1 });
    const { exposure } = elsewhere(chart);
    gateway.register(exposure, { entry: 'public', allowedCidrs: CIDRS });
    const hosts = () => Testing.synth(chart).find(({ metadata }) => metadata.name === 'edge-routes-0-of-1')
      .data['hosts.map'].split('\n').map((line: string) => line.split(' ')[0]).filter(Boolean).sort();
    expect(hosts()).toEqual([PUBLIC.hostname, PUBLIC.konnectivityHostname].sort());
    gateway.register(exposure);
    expect(hosts()).toEqual(['agents.example.com', PUBLIC.konnectivityHostname, PUBLIC.hostname, 'tenant-01.k8s.example.com'].sort());
    expect(() => gateway.register(exposure, { entry: 'other' })).toThrow('"other" is not an entry of tenants/tenant-01');
    gateway.register(exposure, { entry: 'public' });
    expect(gateway.node.validate()).toContainEqual(expect.stringContaining('name: "tenants/tenant-01/public" is registered at management/edge by both'));
  });
});

test('warnings of a controller are there whichever entry it has, once', () => {
  const nginx = IngressController.ingressNginx();
  const chart = new Chart(new App(), 'management');
  tenant({ furtherEntries: [{ name: 'a', hostname: 'a.example.com', controller: nginx }, { name: 'b', hostname: 'b.example.com', controller: nginx }] }, chart);
  expect(Warnings.of(chart).filter(text => text.includes('retired'))).toHaveLength(1);
});

function tenant(props: Partial<IngressExposedControlPlaneProps> = {}, chart = new Chart(new App(), 'management'), id = 'tenant-01'): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, id, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: new PlainPlatform(),
    controller: IngressController.traefik(),
    ...props,
  });
}

function errorOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
