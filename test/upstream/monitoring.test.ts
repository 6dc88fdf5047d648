import { mkdtempSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { provided } from './support/provided';
import { HEALTH_PORT } from '../../src/agent/contract/health';
import { Metric, METRICS } from '../../src/agent/contract/metrics';
import { MEASURED_USES } from '../../src/monitoring/measured-use';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { Cluster } from '../e2e/support/cluster';
import { Management } from '../e2e/support/delivery';
import { Lane, play, Seen } from '../e2e/support/faults';
import { healthyHour } from '../e2e/support/healthy-hour';
import { measuredManifests } from '../e2e/support/measured-manifests';
import { gatewayLane, proxyLanes } from '../e2e/support/monitored';
import { DELIVERED, registerLane, syncLane } from '../e2e/support/monitored-sync';
import { accelerated, Line, Prometheus, promtool, Rule, rulesOf, Target, targetOf } from '../e2e/support/prometheus';

/*
 * A real Prometheus with the rules of the library scrapes real agents with real HAProxies, while what the alerts are about happens for
 * real. Time runs faster for the rules alone: an hour of them takes a minute.
 */
const TIMES = 60;
const [PROGRAMS] = provided('prometheus');
const [SYNC_PORT, REGISTER_PORT] = [8411, 8412];
const EDGE = 'shared-ingress';
const ALERTS = Object.values(MEASURED_USES).flatMap(({ alerts }) => alerts.map(({ name }) => name));

let rules: Rule[];
let targets: Target[];
let objects: any[];
let prometheus: Prometheus;
let lanes: Lane[];
let seen: Map<string, Seen>;
let started: number;

function scrape({ address }: Target): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`http://${address}/metrics`, { agent: false }, response => {
      let body = '';
      response.setEncoding('utf8').on('data', text => body += text).on('end', () => resolve(body));
    }).on('error', reject);
  });
}

const ownLines = (text: string) => text.split('\n').filter(line => /^(# \w+ )?tcp_proxy_/.test(line));

beforeAll(async () => {
  objects = measuredManifests(EDGE);
  rules = rulesOf(objects);
  targets = [
    targetOf(objects, 'tcp-proxy', `10.77.0.2:${HEALTH_PORT}`),
    targetOf(objects, 'tcp-proxy-b', `10.77.0.3:${HEALTH_PORT}`),
    targetOf(objects, 'edge', '127.0.0.1:8405'),
    targetOf(objects, 'tenant-sync', `127.0.0.1:${SYNC_PORT}`),
    targetOf(objects, 'tenant-registration', `127.0.0.1:${REGISTER_PORT}`),
  ];
  const [tenant, management] = await Promise.all([Cluster.start(), Management.start()]);
  await tenant.applyAddon();
  await management.cluster.kubectl(['create', 'namespace', 'argocd']);
  await management.apply(DELIVERED);
  lanes = [
    ...await proxyLanes(tenant),
    await gatewayLane(management.cluster, objects, EDGE),
    await registerLane(management, objects, REGISTER_PORT),
  ];
  prometheus = await Prometheus.start(PROGRAMS, targets, accelerated(rules, TIMES));
  lanes.push(await syncLane(management, management.cluster, SYNC_PORT, prometheus));
  started = Date.now() / 1000;
  seen = new Map((await Promise.all(lanes.map(lane => play(lane, prometheus)))).flatMap(each => [...each]));
}, 1_200_000);

afterAll(stopParts);

test('promtool finds nothing wrong in the rules', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'rules-')), 'rules.yml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'all', rules }] }));
  expect(await promtool(PROGRAMS, ['check', 'rules', file])).toContain(`SUCCESS: ${rules.length} rules found`);
});

test.each(ALERTS)('%s fires when something is wrong, and heals when it is repaired', alert => {
  expect(seen.get(alert)).toEqual({ what: expect.any(String), fired: expect.any(Number), healed: expect.any(Number) });
});

test('no alert is left when all is repaired', async () => {
  await eventually(async () => {
    const firing = await prometheus.firing();
    if (firing.length > 0) throw new Error(firing.join());
    return true;
  }, 60_000);
}, 90_000);

test('no alert fires in an hour in which all is as it is now, with a rolling update, renewed certificates and a new tenant', async () => {
  const samples = await Promise.all([0, 3].map(async seconds => {
    await new Promise(resolve => setTimeout(resolve, seconds * 1_000));
    return Promise.all(targets.map(async target => ({ target, text: await scrape(target) })));
  }));
  const folder = mkdtempSync(join(tmpdir(), 'hour-'));
  writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'all', rules }] }));
  writeFileSync(join(folder, 'hour.yml'), JSON.stringify(healthyHour('rules.yml', samples[0], samples[1], 3, [...new Set(rules.map(({ alert }) => alert))])));
  expect(await promtool(PROGRAMS, ['test', 'rules', join(folder, 'hour.yml')])).toContain('SUCCESS');
});

describe('the metrics of the agents', () => {
  test('are what promtool and their description want, and all of that', async () => {
    const names = new Set<string>();
    for (const [i, command] of (['serve', 'serve', 'gateway', 'sync', 'register'] as const).entries()) {
      const lines = ownLines(await scrape(targets[i]));
      expect(await promtool(PROGRAMS, ['check', 'metrics'], `${lines.join('\n')}\n`)).toBe('');
      const known = Object.values<Metric>(METRICS).filter(({ commands }) => commands.includes(command));
      for (const [, name, type] of lines.flatMap(line => [/^# TYPE (\w+) (\w+)/.exec(line) ?? []]).filter(found => found.length > 0)) {
        names.add(name);
        expect(known).toContainEqual(expect.objectContaining({ name, type }));
      }
      expect(lines.flatMap(line => strangeLabels(line, known))).toEqual([]);
    }
    expect([...names].sort()).toEqual(Object.values<Metric>(METRICS).map(({ name }) => name).sort());
  });
});

describe('the panels of the dashboards', () => {
  test('show something of what has happened', async () => {
    const pictures: { dashboard: string; panel: any; lines: { legend: string; lines: Line[] }[] }[] = [];
    const empty: string[] = [];
    const to = Date.now() / 1000;
    for (const { data } of objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels?.grafana_dashboard)) {
      const { title, panels } = JSON.parse(Object.values<string>(data)[0]);
      for (const panel of panels) {
        const found = await Promise.all(panel.targets.map(async ({ expr, legendFormat }: any) =>
          ({ legend: legendFormat, lines: await prometheus.range(expr.replaceAll('$__rate_interval', '5s').replaceAll('[15m]', '[15s]'), started, to, 1) })));
        // The second proxy leaves the endpoints alone.
        const none = title.endsWith('tcp-proxy-b') && panel.title.includes('ndpoints');
        empty.push(...found.filter(({ lines }) => (lines.length === 0) !== none).map(() => `${title}: ${panel.title}`));
        pictures.push({ dashboard: title, panel, lines: found });
      }
    }
    if (process.env.DASHBOARD_DATA) {
      writeFileSync(process.env.DASHBOARD_DATA, JSON.stringify({ from: started, to, pictures, seen: Object.fromEntries(seen) }));
    }
    expect(empty).toEqual([]);
    expect(pictures.length).toBeGreaterThan(30);
  });
});

/** Labels and values that the description of a metric does not have. */
function strangeLabels(line: string, known: readonly Metric[]): string[] {
  const [, name, text] = /^(\w+)\{([^}]*)\}/.exec(line) ?? [];
  const metric = known.find(each => each.name === name);
  if (!metric) return [];
  return [...text.matchAll(/(\w+)="([^"]*)"/g)].filter(([, label, value]) => {
    const values = metric.labels[label];
    return values === undefined || (typeof values !== 'string' && !values.includes(value));
  }).map(([pair]) => `${name} ${pair}`);
}
