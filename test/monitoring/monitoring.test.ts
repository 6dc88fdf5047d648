import { readFileSync } from 'fs';
import { join } from 'path';
import { Yaml } from 'cdk8s';
import { GrafanaDashboard, Monitoring, PrometheusOperatorProps } from '../../src';
import { METRICS } from '../../src/agent/contract/metrics';
import { HAPROXY_METRICS } from '../../src/monitoring/haproxy-metrics';
import { MEASURED_USES } from '../../src/monitoring/measured-use';
import { REGISTRATION, TCP_PROXIES, USES } from '../agent/uses';
import { expectValid } from '../support/schemas';

const EVERY_USE = [...USES, ...TCP_PROXIES, REGISTRATION];
const OWN_KINDS = ['PodMonitor', 'PrometheusRule', 'GrafanaDashboard'];
const TROUBLESHOOTING = readFileSync(join(__dirname, '..', '..', 'docs', 'troubleshooting.md'), 'utf8');
const alerts = Object.values(MEASURED_USES).flatMap(use => use.alerts);

/** The objects of a use with this monitoring, also those that are delivered in a ConfigMap. */
function manifests({ manifests: of }: typeof USES[number], props?: PrometheusOperatorProps): any[] {
  return of(props === undefined ? {} : { monitoring: Monitoring.prometheusOperator(props) });
}

const kind = (objects: any[], wanted: string) => objects.filter(object => object.kind === wanted);
/** The pods of a use: template of the Deployment or DaemonSet. */
const podsOf = (objects: any[]) => objects.find(object => ['Deployment', 'DaemonSet'].includes(object.kind)).spec.template;
const metricsService = (objects: any[]) => kind(objects, 'Service').find(({ spec }) => spec.clusterIP === 'None');

describe.each(EVERY_USE)('$name', use => {
  const operator = manifests(use, { labels: { release: 'stack' }, scrapeIntervalSeconds: 15, dashboard: GrafanaDashboard.configMap() });
  const [podMonitor] = kind(operator, 'PodMonitor');

  test('has annotations alone where nothing else is said', () => {
    const objects = manifests(use);
    expect(metricsService(objects).metadata.annotations).toMatchObject({ 'prometheus.io/scrape': 'true', 'prometheus.io/path': '/metrics' });
    expect(objects.filter(object => OWN_KINDS.includes(object.kind))).toEqual([]);
    expect(use.manifests({ monitoring: Monitoring.annotations() })).toEqual(objects);
  });

  test('differs with an operator by its objects, and by the annotations that would have each sample twice', () => {
    expect(metricsService(operator).metadata.annotations).toBeUndefined();
    const names = (objects: any[]) => objects.map(object => `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`).sort();
    const { name, namespace } = podMonitor.metadata;
    expect(names(operator)).toEqual([
      ...names(manifests(use)), `PodMonitor ${namespace}/${name}`, `PrometheusRule ${namespace}/${name}`, `ConfigMap ${namespace}/${name}-dashboard`,
    ].sort());
  });

  test('has a PodMonitor that finds its pods, their port and their name', () => {
    expectValid(podMonitor);
    const { metadata: { labels }, spec } = podsOf(operator);
    expect(labels).toMatchObject(podMonitor.spec.selector.matchLabels);
    expect(podMonitor.metadata.labels).toMatchObject({ release: 'stack' });
    expect(podMonitor.spec.podMetricsEndpoints).toEqual([{ port: 'health', path: '/metrics', interval: '15s' }]);
    expect(spec.containers.flatMap((container: any) => container.ports).map((port: any) => port?.name)).toContain('health');
    expect(labels[podMonitor.spec.jobLabel]).toBe(podMonitor.metadata.name);
  });

  test('has alerts about its own pods', () => {
    const [rule] = kind(operator, 'PrometheusRule');
    expectValid(rule);
    expect(rule.metadata.labels).toMatchObject({ release: 'stack' });
    for (const { expr, labels } of rule.spec.groups[0].rules) {
      expect(labels).toMatchObject({ namespace: podMonitor.metadata.namespace, job: podMonitor.metadata.name });
      const selectors = [...expr.matchAll(/\w+\{([^}]*)\}/g)].map(([, matchers]) => matchers);
      expect(selectors.length).toBeGreaterThan(0);
      expect(selectors.filter(matchers => !matchers.startsWith(`namespace="${labels.namespace}",job="${labels.job}"`))).toEqual([]);
    }
  });

  test('has no alerts where none are wanted', () => {
    expect(kind(manifests(use, { alerts: false }), 'PrometheusRule')).toEqual([]);
  });

  test('has a dashboard for either way into Grafana', () => {
    const [configMap] = kind(operator, 'ConfigMap').filter(({ metadata }) => metadata.labels.grafana_dashboard === '1');
    const [ofOperator] = kind(manifests(use, { dashboard: GrafanaDashboard.grafanaOperator({ instanceLabels: { grafana: 'main' }, folder: 'Edge' }) }), 'GrafanaDashboard');
    expectValid(configMap);
    expectValid(ofOperator);
    expect(ofOperator.spec).toMatchObject({ instanceSelector: { matchLabels: { grafana: 'main' } }, allowCrossNamespaceImport: true, folder: 'Edge' });
    const [text] = Object.values<string>(configMap.data);
    expect(ofOperator.spec.json).toBe(text);
    const { panels, uid } = JSON.parse(text);
    expect(uid).toMatch(/^hcp-[0-9a-f]{8}$/);
    expect(new Set(panels.map(({ id }: any) => id)).size).toBe(panels.length);
    expect(overlaps(panels.map(({ gridPos }: any) => gridPos))).toEqual([]);
  });
});

test.each(USES)('the NetworkPolicy of $name lets a Prometheus of any namespace come to the port of the PodMonitor', ({ manifests: of }) => {
  const objects = of({ monitoring: Monitoring.prometheusOperator(), networkPolicy: true });
  const { containerPort } = podsOf(objects).spec.containers.flatMap((container: any) => container.ports).find((port: any) => port?.name === 'health');
  const [{ spec: { ingress } }] = kind(objects, 'NetworkPolicy');
  expect(ingress.filter((rule: any) => rule.from === undefined).flatMap((rule: any) => rule.ports)).toContainEqual({ port: containerPort, protocol: 'TCP' });
});

describe('alerts', () => {
  test('have names of their own', () => {
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  });

  test.each(alerts)('$name has a row that says what to do, to which its annotation leads', ({ name }) => {
    const rows = TROUBLESHOOTING.split('\n').filter(line => line.startsWith('|') && line.includes(`<a id="${name.toLowerCase()}"></a>\`${name}\``));
    expect(rows).toHaveLength(1);
    const [rule] = EVERY_USE.flatMap(use => kind(manifests(use, {}), 'PrometheusRule')).flatMap(({ spec }) => spec.groups[0].rules).filter(({ alert }) => alert === name);
    expect(rule.annotations.runbook_url).toMatch(new RegExp(`/docs/troubleshooting\\.md#${name.toLowerCase()}$`));
  });

  test('that are no more have no rows', () => {
    expect([...TROUBLESHOOTING.matchAll(/<a id="[a-z]+"><\/a>`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(alerts.map(({ name }) => name).sort());
  });

  test('have the labels and the page that their user gives', () => {
    const [rule] = kind(manifests(USES[0], { alertLabels: { team: 'platform' }, runbookUrl: 'https://runbooks.example.com/edge' }), 'PrometheusRule');
    expect(rule.spec.groups[0].rules[0]).toMatchObject({
      labels: { team: 'platform', severity: 'critical' }, annotations: { runbook_url: 'https://runbooks.example.com/edge#tcpproxydown' },
    });
  });
});

test.each(Object.entries(MEASURED_USES))('alerts and panels of %s ask for metrics that it has', (command, { alerts: own, dashboard }) => {
  const scope = { namespace: 'a', job: 'b' };
  const exprs = [...own.map(alert => alert.expr(scope)), ...dashboard.panels.flatMap(({ queries }) => queries.map(({ expr }) => expr(scope)))];
  const known = [
    ...Object.values(METRICS).filter(({ commands }) => (commands as readonly string[]).includes(command)).flatMap(({ name, type }) => type === 'histogram' ? [`${name}_bucket`] : [name]),
    ...['serve', 'gateway'].includes(command) ? Object.values(HAPROXY_METRICS).map(({ name }) => name) : [],
  ];
  const asked = exprs.flatMap(expr => [...expr.matchAll(/(\w+)\{/g)].map(([, name]) => name));
  expect(asked.filter(name => !known.includes(name))).toEqual([]);
});

test.each<[string, () => unknown, string]>([
  ['an interval of which alerts see no rate', () => Monitoring.prometheusOperator({ scrapeIntervalSeconds: 121 }), 'scrapeIntervalSeconds'],
  ['a label that Kubernetes does not have', () => Monitoring.prometheusOperator({ labels: { 'a b': 'c' } }), 'labels'],
  ['a label that Prometheus does not have', () => Monitoring.prometheusOperator({ alertLabels: { 'my-team': 'c' } }), 'alertLabels'],
  ['a severity of its own', () => Monitoring.prometheusOperator({ alertLabels: { severity: 'page' } }), 'alertLabels'],
  ['a page that is no URL', () => Monitoring.prometheusOperator({ runbookUrl: 'runbooks' }), 'runbookUrl'],
  ['a dashboard that is none', () => Monitoring.prometheusOperator({ dashboard: {} as any }), 'dashboard'],
  ['null', () => Monitoring.prometheusOperator(null as any), 'monitoring'],
  ['a folder of two lines', () => GrafanaDashboard.grafanaOperator({ folder: 'a\nb' }), 'folder'],
  ['monitoring that is none', () => USES[0].manifests({ monitoring: { annotations: true } as any }), 'monitoring'],
])('%s is refused', (_, make, field) => {
  expect(make).toThrow(new RegExp(`${field}.*`));
});

test('texts of alerts reach YAML as they are', () => {
  const [rule] = kind(manifests(USES[0], {}), 'PrometheusRule');
  expect(Yaml.stringify(rule)).toContain('{{ $labels.pod }}');
});

/** Pairs of places that cover each other. */
function overlaps(places: { x: number; y: number; w: number; h: number }[]): unknown[] {
  const cover = (a: typeof places[number], b: typeof a) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  return places.flatMap((a, i) => places.slice(i + 1).filter(b => cover(a, b)).map(b => [a, b]));
}
