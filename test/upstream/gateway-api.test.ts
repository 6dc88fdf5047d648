import { execFileSync } from 'child_process';
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { loadAll } from 'js-yaml';
import {
  ControlPlanePlatform, HypershiftApiPublishing, IngressController, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath,
  PassthroughGateway, TcpRouteVersion, TlsRouteVersion,
} from '../../src';
import { stopParts } from '../data-path/support/parts';
import { Cluster } from '../e2e/support/cluster';
import { KUBERNETES_VERSION } from '../e2e/support/versions';
import { recordRun } from '../support/compatibility';

/** Folder with the definitions of each version and channel (scripts/gateway-api.sh). */
const DEFINITIONS = execFileSync(join(__dirname, '..', '..', 'scripts', 'gateway-api.sh'), { encoding: 'utf8' }).trim();
const GROUP = 'gateway.networking.k8s.io';
/** kubectl is started five times in a test. */
const TEST_MS = 180_000;
const PORTS = { first: 20_000, last: 20_009 };
const NODE_PORTS = { first: 30_000, last: 30_009 };

const VERSIONS = readdirSync(DEFINITIONS).flatMap(version => ['standard', 'experimental'].map((channel): [string, string] => [version, channel]));

interface Served { readonly tlsRoutes: TlsRouteVersion[]; readonly tcpRoutes: TcpRouteVersion[]; readonly listenerSets: boolean }

/** What the documentation of this library says that a version and channel serve. */
function documented(version: string, channel: string): Served {
  const minor = Number(version.split('.')[1]);
  const experimental = channel === 'experimental';
  return {
    tlsRoutes: [
      ...minor >= 5 ? [TlsRouteVersion.V1] : [],
      ...experimental ? [TlsRouteVersion.V1ALPHA3, TlsRouteVersion.V1ALPHA2] : [],
    ],
    tcpRoutes: [...minor >= 6 ? [TcpRouteVersion.V1] : [], ...experimental ? [TcpRouteVersion.V1ALPHA2] : []],
    listenerSets: minor >= 5,
  };
}

const OF_TLS: [TlsRouteVersion][] = Object.values(TlsRouteVersion).map(version => [version]);
const OF_TCP = Object.values(TcpRouteVersion).flatMap((version): [TcpRouteVersion, boolean][] => [[version, false], [version, true]]);

interface Wish {
  readonly tlsRouteVersion?: TlsRouteVersion;
  readonly tcpRouteVersion?: TcpRouteVersion;
  readonly listenerSets?: boolean;
}

/** What is written for a Gateway with two tenants, and for a control plane whose Services are in another namespace: every kind of the group. */
function manifestsFor({ tlsRouteVersion, tcpRouteVersion, listenerSets }: Wish): any[] {
  const app = new App();
  const chart = new Chart(app, 'management');
  const gateway = new PassthroughGateway(chart, 'edge', {
    namespace: 'gateways',
    gatewayClassName: 'example',
    listeners: ['*.k8s.example.com', '*.konnectivity.example.com', '*.example.com'].map((hostname, i) => ({ name: `tls-${i}`, hostname })),
    routeNamespaceLabels: { tenants: 'yes' },
    portRange: tcpRouteVersion && PORTS,
    listenerSets,
    infrastructureAnnotations: { 'example.com/class': 'shared' },
  });
  const controller = gateway.asController({ tlsRouteVersion, tcpRouteVersion });
  for (const [i, name] of ['tenant-01', 'tenant-02'].entries()) {
    const controlPlane = new IngressExposedControlPlane(chart, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      hostname: `${name}.k8s.example.com`,
      konnectivity: { hostname: `${name}.konnectivity.example.com`, port: 443 },
      platform: ControlPlanePlatform.kamaji(),
      controller,
      ...tcpRouteVersion && { kubernetesService: KubernetesServicePath.port({ port: PORTS.first + i, addresses: ['192.0.2.1'] }) },
    });
    if (tcpRouteVersion) {
      new KubernetesServiceEndpoints(new Chart(app, `${name}-cluster`), 'kubernetes', { controlPlane });
    }
  }
  new IngressExposedControlPlane(chart, 'hosted', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.hypershift({
      releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64',
      pullSecretName: 'pull-secret',
      apiServerPublishing: tcpRouteVersion ? undefined : HypershiftApiPublishing.LOAD_BALANCER,
    }),
    port: tcpRouteVersion && 30_001,
    networkPolicy: { namespaces: ['gateways'] },
    controller: tcpRouteVersion
      ? IngressController.gatewayApi({ gateway: gateway.ref, tlsRouteVersion, tcpRouteVersion, listenerSets, portRange: NODE_PORTS })
      : controller,
  });
  return chart.toJson().filter(({ apiVersion }: any) => apiVersion.startsWith(`${GROUP}/`));
}

describe.each(VERSIONS)('the definitions of the Gateway API %s, channel %s', (version, channel) => {
  const served = documented(version, channel);
  let cluster: Cluster;
  let passed = 0;

  beforeAll(async () => {
    cluster = await Cluster.start({ behindIngress: false });
    const folder = join(DEFINITIONS, version, channel);
    const definitions = readdirSync(folder).flatMap(file => loadAll(readFileSync(join(folder, file), 'utf8')) as any[]).filter(object => object?.kind);
    await cluster.apply(definitions, '--server-side');
    await cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
    for (const name of ['gateways', 'tenants', 'tenants-hosted']) {
      await cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }]);
    }
  }, 180_000);

  afterAll(stopParts);

  /** The objects of the manifests as the API server has them. */
  async function stored(manifests: any[]): Promise<any[]> {
    const { items } = JSON.parse(await cluster.kubectl(['get', '--filename=-', '--output=json'], { input: manifests.map(manifest => JSON.stringify(manifest)).join('\n') }));
    return items;
  }

  /** Whether all of it is taken, as it is; where it is not, no kind of it may be missing by chance. */
  async function expectTaken(wish: Wish, isServed: boolean, why: RegExp): Promise<void> {
    const manifests = manifestsFor(wish);
    if (!isServed) {
      await expect(cluster.apply(manifests, '--validate=strict', '--dry-run=server')).rejects.toThrow(why);
    } else {
      await cluster.apply(manifests, '--validate=strict');
      const before = await stored(manifests);
      expect(before).toEqual(manifests.map(({ kind, metadata, spec }) => containing({ kind, metadata, spec })));
      // kubectl says "configured" for lists whose items get defaults, but nothing changes.
      await cluster.apply(manifests, '--validate=strict');
      expect((await stored(manifests)).map(versionOf)).toEqual(before.map(versionOf));
    }
    passed++;
  }

  test.each(OF_TLS)('with TLSRoutes %s', tlsRouteVersion => expectTaken({ tlsRouteVersion }, served.tlsRoutes.includes(tlsRouteVersion), /no matches for kind "TLSRoute"/), TEST_MS);

  test.each(OF_TCP)('with TCPRoutes %s, listeners in ListenerSets: %s', (tcpRouteVersion, listenerSets) => expectTaken(
    { tlsRouteVersion: served.tlsRoutes[0] ?? TlsRouteVersion.V1, tcpRouteVersion, listenerSets },
    served.tlsRoutes.length > 0 && served.tcpRoutes.includes(tcpRouteVersion) && (!listenerSets || served.listenerSets),
    /no matches for kind "(TLSRoute|TCPRoute|ListenerSet)"/), TEST_MS);

  afterAll(() => recordRun({
    system: 'Gateway API',
    version: `${version}, ${channel} channel`,
    with: `kube-apiserver ${KUBERNETES_VERSION}`,
    what: 'Gateways, ListenerSets, routes and grants are stored as they are written, where the documentation says that they are served',
    result: passed === OF_TLS.length + OF_TCP.length ? 'passed' : 'failed',
    note: `TLSRoute ${served.tlsRoutes.join(', ') || 'not served'}; TCPRoute ${served.tcpRoutes.join(', ') || 'not served'}; ListenerSet ${served.listenerSets ? 'v1' : 'not served'}`,
  }));
});

function versionOf({ metadata: { name, generation, resourceVersion } }: any): string {
  return `${name} ${generation} ${resourceVersion}`;
}

/** Matches an object that has all of another one: the API server adds defaults. */
function containing(value: any): any {
  if (Array.isArray(value)) {
    return value.map(containing);
  }
  return value !== null && typeof value === 'object'
    ? expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, containing(item)])))
    : value;
}
