import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { routesRules } from '../../../../src/agent/contract/rbac';
import { RouteWatch } from '../../src/gateway/route-watch';
import { mountedCredentials } from '../../src/kubernetes/credentials';
import { KubernetesApi } from '../../src/kubernetes/kubernetes-api';
import { eventually } from '../support/eventually';
import { issueCertificate } from '../support/fake-api/certificates';
import { FakeCluster } from '../support/fake-api/fake-cluster';

jest.setTimeout(60_000);

const NAMESPACE = 'gateway';
const NAMES = ['edge-routes-0-of-2', 'edge-routes-1-of-2'];
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
/** Longer than a test, so that it never ends by itself. */
const FOREVER_MS = 600_000;

const certificate = issueCertificate('localhost');
let folder: string;
let cluster: FakeCluster;
let registry: Registry;
let log: Record<string, any>[];
let changes: number;
let stopping: AbortController;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'route-watch-'));
  writeFileSync(join(folder, 'ca.crt'), certificate.ca);
  writeFileSync(join(folder, 'token'), 'token-1');
  cluster = new FakeCluster(certificate);
  cluster.roles = [{ namespace: NAMESPACE, rules: routesRules(NAMES) }];
  await cluster.start();
  [log, changes, stopping] = [[], 0, new AbortController()];
});
afterEach(async () => {
  stopping.abort();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

function start(kubeletLagMs = FOREVER_MS): RouteWatch {
  registry = new Registry();
  const credentials = mountedCredentials({ caFile: join(folder, 'ca.crt'), tokenFile: join(folder, 'token') });
  const watch = new RouteWatch({
    api: new KubernetesApi({ apiServer: cluster.url, credentials }, stopping.signal),
    namespace: NAMESPACE,
    configMaps: NAMES,
    onChange: () => changes++,
    logger: pino({}, { write: line => log.push(JSON.parse(line)) }),
    registry,
    kubeletLagMs,
  });
  void watch.run(stopping.signal);
  return watch;
}

const put = (shard: number, data: Record<string, string>) => cluster.put(`${PATH}/${NAMES[shard]}`, { data });
const followed = (watch: RouteWatch) => eventually(() => expect(watch.behind).toEqual([]));
const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0].value;

test('a file counts as mounted until the API has said more, each shard and table by itself', async () => {
  put(0, { 'hosts.map': 'zero', 'ports.map': 'port' });
  put(1, { 'hosts.map': 'one' });
  const watch = start();
  expect(watch.newest('hosts-00.map', 'mounted')).toBeUndefined();
  await followed(watch);
  expect(['hosts-00.map', 'ports-00.map', 'hosts-01.map'].map(file => watch.newest(file, 'mounted'))).toEqual(['zero', 'port', 'one']);
  // A key that the ConfigMap has not, and a file that belongs to none.
  expect([watch.newest('allowed-01.map', 'mounted'), watch.newest('hosts-02.map', 'mounted')]).toEqual([undefined, undefined]);
});

test('a change is told at once, and counts before the kubelet brings it', async () => {
  put(0, { 'hosts.map': 'old' });
  put(1, {});
  const watch = start();
  await followed(watch);
  const before = changes;
  put(0, { 'hosts.map': 'new' });
  await eventually(() => expect(watch.newest('hosts-00.map', 'old')).toBe('new'));
  expect(changes).toBeGreaterThan(before);
  // The kubelet brings what was there in between.
  expect(watch.newest('hosts-00.map', 'between')).toBe('new');
});

test('a ConfigMap that is deleted leaves what is mounted, as the kubelet does', async () => {
  put(0, { 'hosts.map': 'text' });
  put(1, {});
  const watch = start();
  await followed(watch);
  cluster.remove(`${PATH}/${NAMES[0]}`);
  await eventually(() => expect(watch.newest('hosts-00.map', 'mounted')).toBeUndefined());
});

test('an API server that goes away takes no route with it: what it said last stays, and no older file counts', async () => {
  put(0, { 'hosts.map': 'newest' });
  put(1, {});
  const watch = start();
  await followed(watch);
  expect(watch.newest('hosts-00.map', 'older')).toBe('newest');
  await cluster.stop();
  await eventually(() => expect(watch.behind).toHaveLength(2));
  expect(watch.newest('hosts-00.map', 'less old')).toBe('newest');
  expect(watch.newest('hosts-00.map', undefined)).toBe('newest');
});

test('a file that changes after the kubelet has caught up counts, until the API answers again', async () => {
  put(0, { 'hosts.map': 'newest' });
  put(1, {});
  const watch = start(0);
  await followed(watch);
  expect(watch.newest('hosts-00.map', 'older')).toBe('newest');
  await cluster.stop();
  await eventually(() => expect(watch.behind).toHaveLength(2));
  expect(watch.newest('hosts-00.map', 'older')).toBe('newest');
  expect(watch.newest('hosts-00.map', 'by the kubelet')).toBeUndefined();
  expect(watch.newest('hosts-00.map', undefined)).toBe('newest');

  await cluster.start();
  await followed(watch);
  expect(watch.newest('hosts-00.map', 'by the kubelet')).toBe('newest');
});

test('a gateway that may not read them goes on with its files, says so once for each, and counts', async () => {
  cluster.roles = [];
  const watch = start();
  await eventually(async () => expect(await metric('tcp_proxy_gateway_route_watch_errors_total')).toBeGreaterThan(4));
  expect(log.map(({ configMap, reason }) => [configMap, reason]).sort()).toEqual(NAMES.map(name => [name, `cannot list configmaps ${name} in ${NAMESPACE}`]));
  expect(await metric('tcp_proxy_gateway_route_config_maps_unfollowed')).toBe(2);
  expect(watch.newest('hosts-00.map', 'mounted')).toBeUndefined();
});

test('nothing is asked for but the lists and watches of the names', async () => {
  put(0, {});
  put(1, {});
  await followed(start());
  await eventually(() => expect(new Set(cluster.audit.map(({ verb, resource, name, status }) => `${verb} ${resource} ${name} ${status}`))).toEqual(
    new Set(NAMES.flatMap(name => [`list configmaps ${name} 200`, `watch configmaps ${name} 200`]))));
});
