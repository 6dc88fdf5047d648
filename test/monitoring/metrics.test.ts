import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { metricsPage, METRICS_PAGE } from '../../scripts/metrics-page';
import { Metric, METRICS } from '../../src/agent/contract/metrics';

const AGENT = join(__dirname, '..', '..', 'images', 'tcp-proxy', 'src');
const all = Object.entries<Metric>(METRICS);

test('the reference of metrics is as the descriptions say: `npx tsx scripts/metrics-page.ts` writes it', () => {
  expect(readFileSync(METRICS_PAGE, 'utf8')).toBe(metricsPage());
});

test('every metric is in exactly one section of the reference', () => {
  const names = [...metricsPage().matchAll(/^\| `(tcp_proxy_\w+)/gm)].map(([, name]) => name);
  expect([...names].sort()).toEqual(all.map(([, { name }]) => name).sort());
});

test('the agent makes every metric of its description, and no other', () => {
  const sources = (readdirSync(AGENT, { recursive: true }) as string[]).filter(file => file.endsWith('.ts')).map(file => readFileSync(join(AGENT, file), 'utf8'));
  expect(sources.flatMap(source => source.match(/['"]tcp_proxy_\w+/g) ?? [])).toEqual([]);
  const made = sources.flatMap(source => [...source.matchAll(/METRICS\.(\w+)/g)].map(([, key]) => key));
  expect([...new Set(made)].sort()).toEqual(all.map(([key]) => key).sort());
});

test.each(all)('%s is named as Prometheus wants it', (_key, { name, type, help, labels }) => {
  expect(name).toMatch(/^tcp_proxy_[a-z]+(_[a-z]+)*$/);
  expect(name.endsWith('_total')).toBe(type === 'counter');
  // Base units alone.
  expect(name).not.toMatch(/_(milliseconds|minutes|hours|kilobytes|mib|percent)(_|$)/);
  expect(help).toMatch(/[.0-9a-z]$/);
  for (const label of Object.keys(labels)) {
    expect(label).toMatch(/^[a-z]+$/);
  }
});
