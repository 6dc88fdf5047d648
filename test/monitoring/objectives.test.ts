import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { ALL_ALERTS, expectedMetrics } from './known';
import { defaultGatewayResources, resolveGateway } from '../../src/shared-gateway/settings';
import { resolveTcpProxy } from '../../src/tcp-proxy/settings';

const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'objectives.md'), 'utf8');
const QUOTED = [...PAGE.matchAll(/(\d[\d.]*)(?: [^\s(]+)? \(`(\w+\.json)` `([\w.-]+)`\)/g)].map(([, figure, file, path]) => ({ figure: Number(figure), file, path }));

test('figures are quoted', () => {
  expect(QUOTED.length).toBeGreaterThan(15);
  expect(PAGE.match(/`\w+\.json`/g)).toHaveLength(QUOTED.length);
});

test.each(QUOTED)('$path of $file is as the page says', ({ figure, file, path }) => {
  const results = JSON.parse(readFileSync(join(ROOT, 'bench', 'results', file), 'utf8'));
  expect(path.split('.').reduce((value, key) => value[key], results)).toBe(figure);
});

test('tests and folders that are named are there', () => {
  const named = [...PAGE.matchAll(/`((?:test|images)\/[^`]+)`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('metrics and alerts that are named are there', () => {
  const metrics = [...PAGE.matchAll(/\b(?:tcp_proxy|haproxy)_\w+/g)].map(([name]) => name);
  expect(metrics.filter(name => !expectedMetrics().includes(name))).toEqual([]);
  const alerts = [...PAGE.matchAll(/`(…?)([A-Z]\w+)`/g)].filter(([, , name]) => !ALL_ALERTS.some(alert => alert.endsWith(name)));
  expect(alerts).toEqual([]);
});

test('the connections of a pod are those of the defaults', () => {
  const of = (mode: 'tls' | 'tcp') => resolveTcpProxy({}, mode).haproxy.maxConnections;
  expect(PAGE).toContain(`**${of('tls')}** connections with TLS opened, **${of('tcp')}** with bytes passed`);
  expect(defaultGatewayResources().limits).toEqual({ memory: '4Gi' });
  expect(PAGE).toContain(`**${resolveGateway({}).haproxy.maxConnections.toLocaleString('en-US')}** connections`);
});
