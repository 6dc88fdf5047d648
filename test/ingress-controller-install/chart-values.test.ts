import { readFileSync } from 'fs';
import { join } from 'path';
import { install } from './install';
import { ControllerService, ExternalTrafficPolicy, IngressController, IngressControllerInstallProps } from '../../src';
import { compareVersions } from '../../src/versions/version-facts';

/**
 * What the templates of each release of a chart read: a path is there with the first and the last release whose rendered
 * objects change with it. `*` at its end stands for whatever is below; `ports.entrypoint` for any entry point of Traefik. Made by
 * rendering the charts' own sources.
 */
const FACTS: { [chart: string]: { releases: string[]; read: { [path: string]: [string, string] } } } =
  JSON.parse(readFileSync(join(__dirname, 'chart-values.json'), 'utf8'));

const CONTROLLERS: { [chart: string]: [string, () => IngressController][] } = {
  'traefik': [
    ['as it is', () => IngressController.traefik()],
    ['with a class and entry points', () => IngressController.traefik({ ingressClassName: 'edge', entryPoint: 'tls', entryPointsByPort: { 80: 'plain', 6443: 'api' } })],
  ],
  'kubernetes-ingress': [
    ['as it is', () => IngressController.haproxy()],
    ['with a class and a port', () => IngressController.haproxy({ ingressClassName: 'edge', port: 6443 })],
  ],
  'haproxy-ingress': [
    ['as it is', () => IngressController.haproxyIngress()],
    ['with a class, a port and IPv6', () => IngressController.haproxyIngress({ ingressClassName: 'edge', port: 6443, ipv6: true })],
  ],
  'ingress-nginx': [
    ['as it is', () => IngressController.ingressNginx()],
    ['with a class and a port', () => IngressController.ingressNginx({ ingressClassName: 'edge', port: 6443 })],
  ],
  'nginx-ingress': [
    ['as it is', () => IngressController.f5Nginx()],
    ['with a class, a port and an idle time', () => IngressController.f5Nginx({ ingressClassName: 'edge', port: 6443, idleTimeout: '4h' })],
  ],
};

const SERVICES: [string, () => Partial<IngressControllerInstallProps>][] = [
  ['a load balancer', () => ({})],
  ['a load balancer with everything', () => ({
    replicas: 3,
    proxyProtocolTrustedCidrs: ['10.0.0.0/24'],
    service: ControllerService.loadBalancer({
      annotations: { a: 'b' },
      loadBalancerIp: '192.0.2.1',
      sourceRanges: ['198.51.100.0/24'],
      externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER,
    }),
  })],
  ['a load balancer of a class', () => ({ service: ControllerService.loadBalancer({ loadBalancerClass: 'example.com/shared' }) })],
  ['a Service inside of the cluster', () => ({ service: ControllerService.clusterIp({ annotations: { a: 'b' } }) })],
];

const CASES = Object.entries(FACTS).flatMap(([chart, { releases }]) => CONTROLLERS[chart].flatMap(([variant, controller]) =>
  SERVICES.map(([service, props]): [string, string, string, string[], () => IngressController, () => Partial<IngressControllerInstallProps>] =>
    [chart, variant, service, releases, controller, props])));

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('every value that is written', () => {
  test.each(CASES)('is read by the templates of every release of %s, %s, for %s', (chart, _variant, _service, releases, controller, props) => {
    const outcome = releases.map(chartVersion => [chartVersion, unreadOf(chart, chartVersion, controller(), props())]);
    expect(outcome.filter(([, unread]) => unread.length > 0)).toEqual([]);
  });

  test('is among facts of every major of Traefik\'s chart from 27 to 41', () => {
    expect([...new Set(FACTS.traefik.releases.map(release => Number(release.split('.')[0])))])
      .toEqual(Array.from({ length: 15 }, (_, i) => 27 + i));
  });

  test('keeps the world out and a ClusterIP inside with every release of Traefik\'s chart', () => {
    const sourceRanges = ['198.51.100.0/24'];
    for (const chartVersion of FACTS.traefik.releases) {
      const open = install(IngressController.traefik(), { chartVersion, service: ControllerService.loadBalancer({ sourceRanges }) }).values;
      const inside = install(IngressController.traefik(), { chartVersion, service: ControllerService.clusterIp() }).values;
      const read = (values: any, ...paths: string[]) => paths.filter(path => isRead('traefik', chartVersion, path)).map(path => valueAt(values, path));
      // Exactly one of the two places: both would be one key twice.
      expect([chartVersion, read(open, 'service.loadBalancerSourceRanges', 'service.spec.loadBalancerSourceRanges').filter(Boolean)])
        .toEqual([chartVersion, [sourceRanges]]);
      expect([chartVersion, read(inside, 'service.type', 'service.spec.type')]).toEqual([chartVersion, ['ClusterIP']]);
    }
  });
});

/** The paths of values that a release ignores; empty where the library refuses to write them. */
function unreadOf(chart: string, chartVersion: string, controller: IngressController, props: Partial<IngressControllerInstallProps>): string[] {
  let values: any;
  try {
    ({ values } = install(controller, { ...props, chartVersion }));
  } catch (error) {
    // The only thing that some releases cannot do.
    expect((error as Error).message).toMatch(/^\S+: values\.controller\.service\.loadBalancerClass: .* is not read by the chart .*, only since /);
    expect(isRead(chart, chartVersion, 'controller.service.loadBalancerClass')).toBe(false);
    return [];
  }
  return pathsOf(values).map(path => path.replace(/^ports\.[^.]+/, 'ports.entrypoint')).filter(path => !isRead(chart, chartVersion, path));
}

/** The paths of all values that are no maps. */
function pathsOf(value: any, path = ''): string[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, item]) => pathsOf(item, path === '' ? key : `${path}.${key}`))
    : [path];
}

/** What is known of the path itself counts before what is known of all below another. */
function isRead(chart: string, release: string, path: string): boolean {
  const { read } = FACTS[chart];
  const above = path.split('.').map((_, i, keys) => `${keys.slice(0, i).join('.')}.*`).reverse();
  const known = [path, `${path}.*`, ...above].find(candidate => candidate in read);
  return known !== undefined && compareVersions(release, read[known][0]) >= 0 && compareVersions(release, read[known][1]) <= 0;
}

function valueAt(values: any, path: string): unknown {
  return path.split('.').reduce((value, key) => value?.[key], values);
}
