import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, Testing } from 'cdk8s';
import { outputOf } from './output';
import {
  Exposure, ExposureProps, ExternalTrafficPolicy, FleetCluster, FleetExport, FleetRoutes, GatewayRegistration, ManagementCluster,
  SharedIngressGateway, SharedIngressGatewayProps,
} from '../../src';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';

// HAProxy is slow to check 86 ports on a busy machine.
jest.setTimeout(60_000);

const EDGE = { trustedCidrs: ['203.0.113.0/28'] };
const RANGE = { first: 30000, last: 30085 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The gateway of a cluster, in an app of its own or in that of another. */
function member(app: App, name: string, props: Partial<SharedIngressGatewayProps> = {}) {
  const chart = new Chart(app, name);
  ManagementCluster.assign(chart, name);
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', edge: EDGE, ...props });
  const add = (tenant: string, exposure: Partial<ExposureProps> = {}, options?: GatewayRegistration) => gateway.register(new Exposure({
    name: tenant, namespace: 'tenants', hostname: `${tenant}.${name}.example.com`, clusterId: `id-${name}-${tenant}`, ...exposure,
  }), options);
  return { chart, gateway, add };
}

/** The edge, with what is known of each cluster. */
function edgeOf(app: App, clusters: { [name: string]: Partial<FleetCluster> }, props: Partial<SharedIngressGatewayProps> = {}) {
  const chart = new Chart(app, 'edge-cluster');
  ManagementCluster.assign(chart, 'edge');
  const gateway = new SharedIngressGateway(chart, 'edge', {
    namespace: 'shared-ingress',
    routeShards: 2,
    clusters: Object.entries(clusters).map(([name, cluster], i) => ({ name, address: `192.0.2.${i + 1}`, domains: [`${name}.example.com`], ...cluster })),
    ...props,
  });
  const errors = () => gateway.node.validate();
  return { chart, gateway, errors, ...outputOf(chart) };
}

/** What the app of a cluster writes for the edge. */
function exported(name: string, address: string, fill: (add: ReturnType<typeof member>['add']) => void, props: Partial<SharedIngressGatewayProps> = {}): string {
  const app = new App({ outdir: join(folder, 'dist') });
  const { chart, gateway, add } = member(app, name, props);
  const { file } = new FleetExport(chart, 'fleet', { gateway, cluster: name, address, folder: join(folder, 'files') });
  fill(add);
  app.synth();
  return file;
}

/** A file with something else in it. */
function fileWith(name: string, change: (file: any) => unknown): string {
  const file = { kind: 'FleetRoutes', version: 1, cluster: 'eu', gateway: { address: '192.0.2.1', port: 7444 }, tenants: [{ namespace: 'tenants', name: 'a', routes: [route('a')] }] };
  const path = join(folder, `${name}.json`);
  const changed = change(file) ?? file;
  writeFileSync(path, typeof changed === 'string' ? changed : JSON.stringify(changed));
  return path;
}
const route = (name: string, more = {}) => ({ service: 'kube-apiserver', host: `${name}.eu.example.com`, port: 443, foundBy: 'host', ...more });
const edgeWithFile = (path: string) => edgeOf(Testing.app(), { eu: { routes: FleetRoutes.fromFile(path) } });

describe('the edge of a fleet', () => {
  test('has a line for each cluster, host, cluster ID and port, of gateways of the same app and as they are at synthesis', () => {
    const app = Testing.app();
    const eu = member(app, 'eu', { portRange: RANGE });
    const us = member(app, 'us', { portRange: RANGE, edge: { ...EDGE, port: 9443 } });
    const portRange = (first: number) => ({ first, last: first + 9 });
    const { table } = edgeOf(app, {
      eu: { routes: FleetRoutes.ofGateway(eu.gateway), portRange: portRange(30000) },
      us: { routes: FleetRoutes.ofGateway(us.gateway), portRange: portRange(30010), address: 'gw.us.example.com', port: 9443 },
    }, { portRange: RANGE });
    eu.add('a', { konnectivity: { hostname: 'a.konnectivity.eu.example.com' } }, { allowedCidrs: ['198.51.100.0/24'] });
    us.add('b', { port: 30011 });
    expect(table('gateways')).toEqual(['@eu 192.0.2.1|7444', '@us gw.us.example.com|9443']);
    expect(table('hosts')).toEqual(['a.eu.example.com @eu', 'a.konnectivity.eu.example.com @eu']);
    expect(table('cluster-ids')).toEqual(['id-eu-a @eu', 'id-us-b @us']);
    expect(table('ports')).toEqual(['30011 @us']);
    expect(table('domains')).toEqual([]);
    us.add('c');
    expect(table('hosts')).toEqual(['a.eu.example.com @eu', 'a.konnectivity.eu.example.com @eu', 'c.us.example.com @us']);
  });

  test('has the same of files that apps of the clusters wrote', () => {
    const fill = (add: ReturnType<typeof member>['add']) => {
      add('b', { port: 30001 });
      add('a', { konnectivity: { hostname: 'a.konnectivity.eu.example.com' } });
    };
    const file = exported('eu', '192.0.2.1', fill, { portRange: RANGE });
    const [app, other] = [Testing.app(), Testing.app()];
    const { gateway, add } = member(app, 'eu', { portRange: RANGE });
    fill(add);
    const cluster = { portRange: RANGE };
    const one = edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(gateway), ...cluster } }, { portRange: RANGE });
    const two = edgeOf(other, { eu: { routes: FleetRoutes.fromFile(file), ...cluster } }, { portRange: RANGE });
    expect(two.synth()).toEqual(one.synth());
    expect(readFileSync(file, 'utf8')).toBe(`${[
      '{"kind":"FleetRoutes","version":1,"cluster":"eu","gateway":{"address":"192.0.2.1","port":7444},"clusterIds":{"port":6443,"tlvType":225},"tenants":[',
      '{"namespace":"tenants","name":"a","clusterId":"id-eu-a","routes":[{"service":"kube-apiserver","host":"a.eu.example.com","port":443,"foundBy":"host"},' +
      '{"service":"konnectivity-server","host":"a.konnectivity.eu.example.com","port":443,"foundBy":"host"}]},',
      '{"namespace":"tenants","name":"b","clusterId":"id-eu-b","routes":[{"service":"kube-apiserver","host":"b.eu.example.com","port":30001,"foundBy":"port"}]}',
      ']}',
    ].join('\n')}\n`);
  });

  test('leads a tenant that is in two clusters to the one where it does not stand by, with its host, cluster ID and port', () => {
    const move = (standby: 'eu' | 'us') => {
      const app = Testing.app();
      const [eu, us] = ['eu', 'us'].map(name => member(app, name, { portRange: RANGE }));
      const moving = { name: 'moving', hostname: 'moving.eu.example.com', clusterId: 'id-moving', port: 30001 };
      for (const { add } of [eu, us]) {
        add('a');
        add('moving', moving);
        add('by-host', { ...moving, name: 'by-host', hostname: 'by-host.eu.example.com', clusterId: 'id-by-host', port: undefined });
      }
      const moved = ['moving', 'by-host'].map(name => `tenants/${name}`);
      const both = (name: 'eu' | 'us') => ({
        routes: FleetRoutes.ofGateway((name === 'eu' ? eu : us).gateway), ...standby === name && { standbyTenants: moved },
      });
      return edgeOf(app, {
        eu: { ...both('eu'), portRange: { first: 30000, last: 30009 } },
        us: {
          ...both('us'),
          portRange: { first: 30010, last: 30019 },
          ...standby === 'eu' && { domains: ['us.example.com', 'by-host.eu.example.com', 'moving.eu.example.com'], ports: [30001] },
        },
      }, { portRange: RANGE });
    };
    for (const [standby, leads] of [['us', 'eu'], ['eu', 'us']] as const) {
      const { table, errors } = move(standby);
      expect(errors()).toEqual([]);
      expect(table('hosts')).toEqual(['a.eu.example.com @eu', 'a.us.example.com @us', `by-host.eu.example.com @${leads}`]);
      expect(table('cluster-ids')).toEqual(['id-by-host', 'id-eu-a', 'id-moving', 'id-us-a'].map(id => `${id} @${/-(eu|us)-/.exec(id)?.[1] ?? leads}`));
      expect(table('ports')).toEqual([`30001 @${leads}`]);
    }
  });

  test('refuses a tenant that is in two clusters and stands by in none', () => {
    const app = Testing.app();
    const [eu, us] = ['eu', 'us'].map(name => member(app, name));
    [eu, us].forEach(({ add }) => add('moving', { hostname: 'moving.eu.example.com', clusterId: 'id-moving' }));
    const { errors } = edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(eu.gateway) }, us: { routes: FleetRoutes.ofGateway(us.gateway) } });
    expect(errors().join('\n')).toContain('by both tenants/moving of cluster eu and tenants/moving of cluster us');
  });

  test.each<[string, { [name: string]: Partial<FleetCluster> }, string]>([
    ['a port that is not the gateway\'s', { eu: { ports: [29999] } }, 'clusters[0].ports[0]: 29999 is not within the portRange of the gateway'],
    ['a port of two clusters', { eu: { ports: [30001] }, us: { ports: [30001] } }, 'clusters[1].ports[0]: 30001 is a port of cluster eu as well'],
    ['tenants that stand by in a cluster without routes', { eu: { standbyTenants: ['tenants/a'] } }, 'clusters[0].standbyTenants: ["tenants/a"] are not known here'],
    ['a tenant without a namespace', { eu: { standbyTenants: ['a'] } }, 'clusters[0].standbyTenants[0]: "a" does not name a tenant'],
  ])('refuses %s', (_, clusters, message) => {
    expect(() => edgeOf(Testing.app(), clusters, { portRange: RANGE })).toThrow(message);
  });

  test('has a line for each domain alone where every host of it is for the cluster', () => {
    const { table } = edgeOf(Testing.app(), { eu: {}, us: { domains: ['us.example.com', 'moved.k8s.eu.example.com'] } });
    expect(table('domains')).toEqual(['eu.example.com @eu', 'moved.k8s.eu.example.com @us', 'us.example.com @us']);
    expect(table('hosts')).toEqual(['eu.example.com @eu', 'moved.k8s.eu.example.com @us', 'us.example.com @us']);
    const app = Testing.app();
    const eu = member(app, 'eu');
    eu.add('a', { konnectivity: { hostname: 'one.two.three.four.five.eu.example.com' } });
    const both = edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(eu.gateway), everyHost: true } });
    // The domains of the configuration have four labels in front at most.
    expect(both.table('hosts')).toEqual(['eu.example.com @eu', 'one.two.three.four.five.eu.example.com @eu']);
    expect(both.table('cluster-ids')).toEqual(['id-eu-a @eu']);
  });

  test('leads what is not known of a domain within that of another cluster to its own, never to the other', () => {
    const path = fileWith('within', file => void Object.assign(file, { cluster: 'us', gateway: { address: '192.0.2.2', port: 7444 }, tenants: [] }));
    const { table } = edgeOf(Testing.app(), {
      eu: { domains: ['example.com'] }, us: { domains: ['us.example.com', 'a.us.example.com', 'us.example.net'], routes: FleetRoutes.fromFile(path) },
    });
    const lines = ['a.us.example.com @us', 'example.com @eu', 'us.example.com @us'];
    expect(table('domains')).toEqual(lines);
    expect(table('hosts')).toEqual(lines);
  });

  test('opens its NetworkPolicy to the gateways of the clusters', () => {
    const { one } = edgeOf(Testing.app(), { eu: {}, v6: { address: '2001:DB8::1', port: 8443 }, us: { address: 'gw.us.example.com' } });
    expect(one('NetworkPolicy').spec.egress.slice(-3)).toEqual([
      { to: [{ ipBlock: { cidr: '192.0.2.1/32' } }], ports: [{ port: 7444, protocol: 'TCP' }] },
      { to: [{ ipBlock: { cidr: '2001:db8::1/128' } }], ports: [{ port: 8443, protocol: 'TCP' }] },
      { ports: [{ port: 7444, protocol: 'TCP' }] },
    ]);
  });

  test('is otherwise what it is without clusters', () => {
    const withoutClusters = edgeOf(Testing.app(), {});
    expect(withoutClusters.gateway.haproxyConfig).not.toMatch(/gateways|domains|found_by/);
    expect(withoutClusters.synth().filter(({ data }) => data?.['gateways.map'] !== undefined)).toEqual([]);
  });

  test('writes the IPv6 address of a gateway in the one spelling that counts', () => {
    expect(edgeOf(Testing.app(), { eu: { address: '2001:DB8:0::1' } }).table('gateways')).toEqual(['@eu 2001:db8::1|7444']);
  });
});

describe('a name of a fleet', () => {
  test('is an error that names both clusters and tenants where two have it: a host, a cluster ID, a port', () => {
    const app = Testing.app();
    const [eu, us] = ['eu', 'us'].map(name => member(app, name, { portRange: RANGE }));
    eu.add('a', { hostname: 'one.example.com', clusterId: 'id', konnectivity: { hostname: 'k.example.com', port: 30001 } });
    us.add('b', { hostname: 'one.example.com', clusterId: 'id', konnectivity: { hostname: 'l.example.com', port: 30001 } });
    const { errors } = edgeOf(app, {
      eu: { routes: FleetRoutes.ofGateway(eu.gateway), domains: ['example.com'], portRange: RANGE }, us: { routes: FleetRoutes.ofGateway(us.gateway) },
    }, { portRange: RANGE });
    const both = 'is claimed at edge-cluster/edge by both tenants/a of cluster eu and tenants/b of cluster us. In a fleet it leads to one tenant: take it away from one of them';
    expect(errors()).toEqual(expect.arrayContaining([
      expect.stringContaining(`SNI host: "one.example.com" ${both}`),
      expect.stringContaining(`cluster ID: "id" ${both}`),
      expect.stringContaining(`port: "30001" ${both}`),
    ]));
  });

  test('is one that the edge\'s own tenants have, likewise', () => {
    const app = Testing.app();
    const eu = member(app, 'eu');
    eu.add('a');
    const { gateway, errors } = edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(eu.gateway) } });
    gateway.register(new Exposure({ name: 'own', namespace: 'tenants', hostname: 'a.eu.example.com' }));
    expect(errors()).toEqual([expect.stringContaining('SNI host: "a.eu.example.com" is claimed at edge-cluster/edge by both tenants/a of cluster eu and tenants/own.')]);
  });

  test.each<[string, string, string]>([
    ['no domain of the cluster', 'a.other.example.com', 'edge-cluster/edge: clusters[0].domains: "a.other.example.com" of tenants/a of cluster eu is in none of them. Add the host'],
    ['a domain of another cluster', 'a.us.example.com', '"a.us.example.com" of tenants/a of cluster eu is in us.example.com, a domain of cluster us.'],
    ['a longer domain of another', 'x.taken.eu.example.com', 'is in taken.eu.example.com, a domain of cluster us.'],
    ['a domain that only ends alike', 'aeu.example.com', 'is in none of them'],
  ])('in %s cannot be claimed by what a cluster wrote', (_, host, message) => {
    const path = fileWith('claims', file => void (file.tenants[0].routes[0].host = host));
    const { errors } = edgeOf(Testing.app(), { eu: { routes: FleetRoutes.fromFile(path) }, us: { domains: ['us.example.com', 'taken.eu.example.com'] } });
    expect(errors()).toEqual([expect.stringContaining(message)]);
  });

  test('is a port of the cluster\'s own range or an error', () => {
    const path = fileWith('ports', file => void Object.assign(file.tenants[0].routes[0], { port: 30020, foundBy: 'port' }));
    const routes = FleetRoutes.fromFile(path);
    expect(edgeOf(Testing.app(), { eu: { routes, portRange: { first: 30000, last: 30009 } } }, { portRange: RANGE }).errors())
      .toEqual([expect.stringContaining('clusters[0].portRange: {"first":30000,"last":30009} does not have the port 30020 of tenants/a of cluster eu. Give cluster eu ports')]);
    expect(edgeOf(Testing.app(), { eu: { routes } }, { portRange: RANGE }).errors()).toHaveLength(1);
  });

  test('that cannot be met is told of twenty, and how many more there are', () => {
    const path = fileWith('many', file => void (file.tenants = Array.from({ length: 1000 }, (_, i) => ({ namespace: 'tenants', name: `t-${i}`, routes: [route('a')] }))));
    const errors = edgeWithFile(path).errors();
    expect(errors).toHaveLength(21);
    expect(errors[20]).toBe('edge-cluster/edge: clusters: 979 more claims of tenants cannot be met.');
  });

  test('needs gateways that are alike: the port of hosts, and how proxies say their IDs', () => {
    const app = Testing.app();
    const eu = member(app, 'eu', { sniPort: 8443, clusterIdPort: 7000 });
    eu.add('a', { port: 8443 });
    expect(edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(eu.gateway) } }).errors()).toEqual([
      expect.stringContaining('clusters[0].routes: {"port":7000,"tlvType":225} is how proxies of cluster eu say their IDs, and this gateway has port 6443 and TLV 225.'),
      expect.stringContaining('sniPort: 443 is where this gateway finds hosts, and a.eu.example.com of tenants/a of cluster eu has port 8443.'),
    ]);
  });
});

describe('the file of a cluster', () => {
  test.each<[string, (file: any) => unknown, RegExp]>([
    ['no JSON', () => '{"kind":', /clusters\[0\]\.routes .*no JSON\.json: is not JSON: .*\. Have the app of the cluster write it anew/],
    ['no object', () => [], /is no object/],
    ['something else', file => void (file.kind = 'List'), /kind: "List" is not FleetRoutes/],
    ['too new', file => void (file.version = 2), /version: 2 is later than 1, which this version of the library reads\. Update the library in the app of the edge first/],
    ['of no version', file => void (file.version = '1'), /version: "1" is not a version/],
    ['of another cluster', file => void (file.cluster = 'us'), /clusters\[0\]\.routes: "us" is the cluster that the file is of, not eu/],
    ['of another gateway', file => void (file.gateway.address = '10.0.0.1'), /clusters\[0\]\.address: "192\.0\.2\.1" and port 7444 are not what the file says: 10\.0\.0\.1 and 7444\. If its gateway has moved/],
    ['of another port', file => void (file.gateway.port = 22), /not what the file says: 192\.0\.2\.1 and 22/],
    ['without tenants', file => void delete file.tenants, /tenants: is not given/],
    ['with a line break in a host', file => void (file.tenants[0].routes[0].host = 'a.eu.example.com @us\nb.eu.example.com'), /tenants\[0\]\.routes\[0\]\.host: "[^]*is not a DNS label/],
    ['with a host in upper case', file => void (file.tenants[0].routes[0].host = 'A.eu.example.com'), /has upper-case letters/],
    ['with a wildcard', file => void (file.tenants[0].routes[0].host = '*.eu.example.com'), /is a wildcard/],
    ['with an in-cluster name', file => void (file.tenants[0].routes[0].host = 'kubernetes.default.svc'), /is an in-cluster name/],
    ['with a cluster ID of two words', file => void (file.tenants[0].clusterId = 'a @us'), /tenants\[0\]\.clusterId: "a @us" is not a cluster ID/],
    ['with a port that is none', file => void (file.tenants[0].routes[0].port = 70000), /port: 70000 is not a port/],
    ['with another way', file => void (file.tenants[0].routes[0].foundBy = 'magic'), /foundBy: "magic" is not one that there is/],
    ['with a name of its own', file => void (file.tenants[0].name = '../../etc'), /tenants\[0\]\.name: .*is not a valid name/],
    ['with a tenant twice', file => void file.tenants.push(file.tenants[0]), /tenants\[1\]: "tenants\/a" is there twice/],
    ['with null', file => void (file.tenants[0] = null), /tenants\[0\]/],
    ['with a number for a list', file => void (file.tenants[0].routes = 7), /tenants\[0\]\.routes: 7 is not a list/],
    ['with too many routes', file => void (file.tenants[0].routes = Array.from({ length: 101 }, () => route('a'))), /routes: 101 routes are more than 100/],
    ['with too many tenants', file => void (file.tenants = new Array(100_001).fill(0)), /tenants: 100001 tenants are more than 100000/],
    ['nested too deep', () => `${'['.repeat(200_000)}`, /is not JSON/],
  ])('that is %s is an error that says what to do', (name, change, message) => {
    expect(() => edgeWithFile(fileWith(name, change))).toThrow(message);
  });

  test('that is not there, is a folder or is too large is an error, before it is read', () => {
    expect(() => edgeWithFile(join(folder, 'none.json'))).toThrow(/edge-cluster\/edge: clusters\[0\]\.routes: ".*none\.json" cannot be read: ENOENT.*Give the path/);
    expect(() => edgeWithFile(folder)).toThrow(/cannot be read: it is not a file/);
    const large = join(folder, 'large.json');
    writeFileSync(large, Buffer.alloc(64 * 2 ** 20 + 1, ' '));
    expect(() => edgeWithFile(large)).toThrow(/has 67108865 bytes, and no more than 67108864 are read/);
    expect(() => FleetRoutes.fromFile('')).toThrow(/FleetRoutes\.fromFile: path: "" is empty/);
  });

  test('has nothing else that counts: what is not known is left out', () => {
    const path = fileWith('more', file => {
      file.tenants[0].allowedCidrs = ['0.0.0.0/0'];
      file.haproxyConfig = 'global';
      return JSON.stringify(file).replace('"tenants"', '"__proto__":{"everyHost":true},"constructor":1,"tenants"');
    });
    const { errors, table } = edgeWithFile(path);
    expect([errors(), table('hosts'), table('domains'), table('allowed')]).toEqual([[], ['a.eu.example.com @eu'], [], []]);
  });
});

describe('clusters of an edge', () => {
  test.each<[{ [name: string]: Partial<FleetCluster> }, RegExp]>([
    [{ eu: { domains: ['example.com'] }, us: { domains: ['us.example.com', 'example.com'] } }, /clusters\[1\]\.domains\[1\]: "example\.com" is a domain of cluster eu as well/],
    [{ eu: {}, us: { name: 'eu', domains: ['other.example.com'] } }, /clusters\[1\]\.name: "eu" is the name of another cluster as well/],
    [{ 'Eu West': {} }, /clusters\[0\]\.name: "Eu West" is not a valid name/],
    [{ eu: { portRange: { first: 30000, last: 30099 } } }, /clusters\[0\]\.portRange: .* is not within the portRange of the gateway/],
    [{ eu: { portRange: { first: 30000, last: 30009 } }, us: { portRange: { first: 30009, last: 30019 } } }, /clusters\[1\]\.portRange: .* has ports of cluster eu as well/],
    [{ eu: { domains: ['*.example.com'] } }, /is a wildcard/],
    [{ eu: { domains: [] } }, /clusters\[0\]\.domains: \[\] is empty/],
    [{ eu: { address: 'http://gw' } }, /clusters\[0\]\.address: "http:\/\/gw" is a URL/],
  ])('that get in each other\'s way are an error: %j', (clusters, message) => {
    expect(() => edgeOf(Testing.app(), clusters, { portRange: RANGE })).toThrow(message);
  });
});

test('a gateway of the same app must have a port for the edge, and the one that the edge connects to', () => {
  const app = Testing.app();
  const without = member(app, 'eu', { edge: undefined });
  expect(() => edgeOf(app, { eu: { routes: FleetRoutes.ofGateway(without.gateway) } })).toThrow(/clusters\[0\]\.routes: "eu\/edge" has no port for the edge of a fleet/);
  const other = member(Testing.app(), 'eu', { edge: { ...EDGE, port: 9443 } });
  expect(() => edgeOf(Testing.app(), { eu: { routes: FleetRoutes.ofGateway(other.gateway) } })).toThrow(/clusters\[0\]\.port: 7444 is not the port of eu\/edge for the edge, 9443/);
});

describe('a gateway behind an edge', () => {
  test('has a port for it, which the edge\'s networks alone may connect to', () => {
    const { gateway, chart } = member(Testing.app(), 'eu', { edge: { trustedCidrs: ['203.0.113.0/28', '2001:db8::/64'], port: 9443 } });
    const { one } = outputOf(chart);
    expect(gateway.edgePort).toBe(9443);
    expect(one('Service').spec.ports.pop()).toEqual({ name: 'edge', port: 9443, targetPort: 'edge', protocol: 'TCP' });
    expect(one('Deployment').spec.template.spec.containers[0].ports.find(({ name }: any) => name === 'edge').containerPort).toBe(8445);
    expect(one('NetworkPolicy').spec.ingress[0].ports).toContainEqual({ port: 8445, protocol: 'TCP' });
    expect(gateway.haproxyConfig).toContain('  acl edge src 203.0.113.0/28\n  acl edge src 2001:db8::/64\n  tcp-request connection reject if !edge\n');
  });

  test.each<[Partial<SharedIngressGatewayProps>, RegExp]>([
    [{ edge: { trustedCidrs: [] } }, /edge\.trustedCidrs: \[\] is empty/],
    [{ edge: { trustedCidrs: ['10.0.0.0/8', '0.0.0.0/0'] } }, /edge\.trustedCidrs\[1\]: "0\.0\.0\.0\/0" is every address, so anyone could say whose connections they are/],
    [{ edge: { trustedCidrs: ['::/0'] } }, /edge\.trustedCidrs\[0\]: "::\/0" is every address/],
    [{ loadBalancerProxyProtocol: { trustedCidrs: ['0.0.0.0/0'], sniPortOnly: true } }, /loadBalancerProxyProtocol\.trustedCidrs\[0\]: "0\.0\.0\.0\/0" is every address/],
    [{ edge: { ...EDGE, port: 443 } }, /edge\.port: 443 is a port of the gateway for something else/],
    [{ edge: { ...EDGE, port: 30001 }, portRange: RANGE }, /edge\.port: 30001 is a port of the gateway/],
    [{ externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER }, /edge: .* cannot be told from others/],
    [{ clusterIdRouting: false, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'] } }, /loadBalancerProxyProtocol: .* would put a second PROXY header in front of that of the edge/],
    [{ portRange: { first: 8440, last: 8450 } }, /has the port 844[35]/],
  ])('cannot have what would hide the edge or take its port: %j', (props, message) => {
    expect(() => member(Testing.app(), 'eu', props)).toThrow(message);
  });

  test('is exported, or it is an error that nothing leads to it', () => {
    const app = Testing.app();
    const { chart, gateway } = member(app, 'eu', { edge: undefined });
    expect(() => new FleetExport(chart, 'fleet', { gateway, cluster: 'eu', address: '192.0.2.1' })).toThrow(/eu\/fleet: gateway: "eu\/edge" has no port for the edge of a fleet/);
    const us = member(app, 'us');
    expect(() => new FleetExport(us.chart, 'a', { gateway: us.gateway, cluster: 'us', address: '192.0.2.1', folder: '.' })).toThrow(/is the folder of the manifests/);
    expect(() => new FleetExport(us.chart, 'b', { gateway: us.gateway, cluster: 'us', address: '192.0.2.1', fileName: '../x' })).toThrow(/is not the name of a file/);
  });
});

describeWithHaproxy('HAProxy', () => {
  test('takes the configuration of an edge and of a gateway behind it, with everything', async () => {
    const app = Testing.app();
    const more = { portRange: RANGE, loadBalancerProxyProtocol: { trustedCidrs: ['10.0.0.0/8'], sniPortOnly: true }, addressRange: { prefix: '2001:db8:1::/64' } };
    const eu = member(app, 'eu', more);
    const { gateway } = edgeOf(app, { eu: {} }, more);
    for (const { haproxyConfig } of [eu.gateway, gateway]) {
      expect(await checkConfig(haproxyConfig)).toBe('');
    }
  });
});
