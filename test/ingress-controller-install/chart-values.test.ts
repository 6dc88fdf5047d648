import { CHART_CASES, ChartCase, MOVED_VALUES } from './chart-cases';
import { ChartFacts, generalPath, pathsIn } from './chart-facts';
import { install } from './install';
import { ControllerService, IngressController } from '../../src';
import {
  ChartFacts as VersionsOfChart, F5_NGINX_CHART_FACTS, HAPROXY_CHART_FACTS, HAPROXY_INGRESS_CHART_FACTS, INGRESS_NGINX_CHART_FACTS,
  TRAEFIK_CHART_FACTS,
} from '../../src/versions/charts';
import { compareVersions } from '../../src/versions/version-facts';

const FACTS = ChartFacts.load();
const CASES = FACTS.charts.flatMap(chart => CHART_CASES[chart].map((one): [string, string, ChartCase] => [chart, one.title, one]));
const INSTALLABLE: { readonly [chart: string]: VersionsOfChart } = {
  'traefik': TRAEFIK_CHART_FACTS,
  'kubernetes-ingress': HAPROXY_CHART_FACTS,
  'haproxy-ingress': HAPROXY_INGRESS_CHART_FACTS,
  'ingress-nginx': INGRESS_NGINX_CHART_FACTS,
  'nginx-ingress': F5_NGINX_CHART_FACTS,
};

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('every value that is written', () => {
  test.each(CASES)('is read by the templates of every release of %s, %s', (chart, _, { valuesFor }) => {
    const outcome = FACTS.releasesOf(chart).map(release => [release, unreadOf(chart, release, valuesFor)]);
    expect(outcome.filter(([, unread]) => unread.length > 0)).toEqual([]);
  });

  test('is among facts of each chart that is installed or given values', () => {
    expect(FACTS.charts).toEqual(Object.keys(CHART_CASES).sort());
  });

  test.each(Object.entries(INSTALLABLE))('is among facts of the first and the newest release of %s that is accepted, and of every major between', (chart, { versions }) => {
    const releases = FACTS.releasesOf(chart);
    expect(releases[releases.length - 1]).toBe(versions.read.split(' ')[1]);
    const [oldest, newest] = [versions.known.find(({ from }) => from === undefined)!.before!, versions.newest].map(version => Number(version.split('.')[0]));
    expect([...new Set(releases.map(release => Number(release.split('.')[0])))]).toEqual(Array.from({ length: newest - oldest + 1 }, (_, i) => oldest + i));
  });

  test('keeps the world out and a ClusterIP inside with every release of Traefik\'s chart', () => {
    const sourceRanges = ['198.51.100.0/24'];
    for (const chartVersion of FACTS.releasesOf('traefik')) {
      const open = install(IngressController.traefik(), { chartVersion, service: ControllerService.loadBalancer({ sourceRanges }) }).values;
      const inside = install(IngressController.traefik(), { chartVersion, service: ControllerService.clusterIp() }).values;
      const read = (values: any, ...paths: string[]) => paths.filter(path => FACTS.isRead('traefik', chartVersion, path)).map(path => valueAt(values, path));
      // Exactly one of the two places: both would be one key twice.
      expect([chartVersion, read(open, 'service.loadBalancerSourceRanges', 'service.spec.loadBalancerSourceRanges').filter(Boolean)])
        .toEqual([chartVersion, [sourceRanges]]);
      expect([chartVersion, read(inside, 'service.type', 'service.spec.type')]).toEqual([chartVersion, ['ClusterIP']]);
    }
  });
});

describe('a value that is known to have moved', () => {
  const MOVED = Object.entries(INSTALLABLE).flatMap(([chart, { moved }]) => moved.flatMap(value =>
    Object.keys(MOVED_VALUES).filter(path => isAt(path, value.path)).map((path): [string, string, typeof value] => [chart, path, value])));

  test.each(MOVED)('of %s is read by those releases that the library says, and by no other: %s', (chart, path, { since, until }) => {
    const said = (release: string) =>
      (since === undefined || compareVersions(release, since) >= 0) && (until === undefined || compareVersions(release, until) < 0);
    const releases = FACTS.releasesOf(chart);
    const found = releases.filter(release => FACTS.isRead(chart, release, generalPath(path)));
    // Before the first that has it, it is no matter: some had it once, and lost it.
    expect(found).toEqual(releases.filter(release => said(release) && (since !== undefined || compareVersions(release, found[0]) >= 0)));
    expect(found.length).toBeGreaterThan(0);
  });

  test('has an example for each', () => {
    const paths = Object.values(INSTALLABLE).flatMap(({ moved }) => moved.map(({ path }) => path));
    expect(paths.filter(path => !Object.keys(MOVED_VALUES).some(example => isAt(example, path)))).toEqual([]);
  });
});

/** The paths of values that a release ignores; empty where the library refuses to write them. */
function unreadOf(chart: string, release: string, valuesFor: ChartCase['valuesFor']): string[] {
  let values: any;
  try {
    values = valuesFor(release);
  } catch (error) {
    // The only things that some releases cannot do.
    const [, path] = /^\S+: values\.(controller\.service\.loadBalancerClass|ports\.[^.]+\.asDefault): .* is not read by the chart .*, only since /.exec((error as Error).message) ?? [];
    expect([(error as Error).message, path && FACTS.isRead(chart, release, generalPath(path))]).toEqual([(error as Error).message, false]);
    return [];
  }
  return pathsIn(values).map(generalPath).filter(path => !FACTS.isRead(chart, release, path));
}

/** Whether a path is that of a fact, in which `*` stands for any key, or below it. */
function isAt(path: string, pattern: string): boolean {
  const keys = path.split('.');
  return pattern.split('.').every((key, i) => key === '*' ? keys[i] !== undefined : key === keys[i]);
}

function valueAt(values: any, path: string): unknown {
  return path.split('.').reduce((value, key) => value?.[key], values);
}
