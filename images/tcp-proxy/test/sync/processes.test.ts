import { once } from 'node:events';
import { AddressInfo, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { configMap, Harness, NAMESPACE, until } from './harness';
import { Agent } from '../support/agent';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/tenant-sync`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

jest.setTimeout(120_000);

let harness: Harness;
let tenant: FakeCluster;
let agents: Agent[] = [];

beforeEach(async () => {
  harness = await Harness.create();
  tenant = await harness.tenant('a');
  agents = [];
});

afterEach(async () => {
  await Promise.all(agents.map(async (agent) => agent.stop()));
  await harness.close();
});

function start(podName: string, ...flags: string[]): Agent {
  const agent = new Agent({ args: harness.flags(podName, ...flags) });
  agents.push(agent);
  return agent;
}

test('a process that is killed in the middle of an apply loses nothing: the next one applies and prunes the rest', async () => {
  harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
  const first = start('sync-0');
  await harness.synced('a');
  // From here on, everything after the first object of the new bundle has to wait.
  let killed = false;
  tenant.fail(({ verb, name }) => {
    if (verb === 'patch' && name === 'four' && !killed) {
      killed = true;
      first.kill('SIGKILL');
    }
    return killed && first.output !== '' && verb === 'patch' && name === 'four' && tenant.object(`${CONFIG_MAPS}/five`) === undefined && agents.length === 1;
  }, 500, 'InternalError', 1_000);
  harness.bundle('a', { objects: [configMap('two'), configMap('three'), configMap('four'), configMap('five')] });
  await first.exited;
  expect(tenant.applied()).toContain('ConfigMap three');
  // Meanwhile, what was applied in part leaves the bundle again.
  harness.bundle('a', { objects: [configMap('two'), configMap('five')] });
  harness.management.remove(LEASE);
  start('sync-1');
  await harness.synced('a');
  expect(tenant.store.list(CONFIG_MAPS).map(({ metadata }) => metadata.name).sort()).toEqual(['five', 'two']);
});

test('of two processes one works; when it is told to stop, it gives up the lease, and the other goes on at once', async () => {
  harness.bundle('a', { objects: [configMap('one')] });
  const first = start('sync-0');
  await first.logged('leading');
  const second = start('sync-1');
  await second.readyz(200, 'sync-0');
  await harness.synced('a');
  first.kill('SIGTERM');
  expect(await first.exited).toEqual({ code: 0, signal: null });
  expect(harness.management.object(LEASE)!.spec.holderIdentity).not.toBe('sync-0');
  harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
  await harness.synced('a');
  await second.readyz(200, 'this process');
  expect(second.log.some(({ level }) => level === 'error')).toBe(false);
});

test('a process that was stopped for longer than its lease writes nothing when it goes on', async () => {
  harness.bundle('a', { objects: [configMap('one')] });
  const first = start('sync-0', '--resync-interval', '50ms');
  await harness.synced('a');
  first.kill('SIGSTOP');
  const second = start('sync-1');
  await second.logged('leading');
  const written = tenant.audit.length;
  first.kill('SIGCONT');
  await first.logged('no longer leading');
  const late = tenant.audit.slice(written).filter(({ verb }) => verb === 'patch');
  expect(late).toEqual([]);
});

test('a tenant that a process did not survive is set aside by the next one, and the others go on', async () => {
  const journal = ['--visits-file', join(harness.dir, 'visits.json')];
  const silent = createServer((socket) => sockets.push(socket));
  const sockets: Socket[] = [];
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  harness.kubeconfig('deadly', `https://localhost:${(silent.address() as AddressInfo).port}`);
  harness.bundle('a', { objects: [configMap('one')] });
  const first = start('sync-0', ...journal);
  await harness.synced('a');
  harness.bundle('deadly', { objects: [configMap('one')] });
  await until('it is being visited', () => sockets.length > 0);
  first.kill('SIGKILL');
  await first.exited;
  const visits = sockets.length;

  harness.bundle('a', { objects: [configMap('two')] });
  const second = start('sync-0', ...journal);
  await harness.phase('deadly', 'Failed', 'set aside until');
  await harness.synced('a');
  expect(sockets).toHaveLength(visits);
  expect(await second.logged('they are set aside')).toMatchObject({ tenants: ['tenants.deadly'] });
  expect((await second.http('/metrics')).body).toMatch(/^tcp_proxy_sync_tenants_set_aside 1$/m);

  // As long as it does no harm, it is visited again, and then no more than any other.
  await until('it is visited again', () => sockets.length > visits);
  await harness.phase('deadly', 'Failed', 'cannot reach the tenant');
  await until('it is not set aside any more', async () => (await second.http('/metrics')).body.includes('\ntcp_proxy_sync_tenants_set_aside 0'));
  sockets.forEach((socket) => socket.destroy());
  silent.close();
});

test('an answer that takes long does not keep a process from stopping', async () => {
  let asked = false;
  tenant.fail(({ verb }) => {
    asked ||= verb === 'patch';
    return false;
  }, 500, '');
  harness.bundle('a', { objects: [configMap('one')] });
  const agent = start('sync-0');
  await until('it is at work', () => asked);
  agent.kill('SIGTERM');
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('wrong flags are told in one line, with what to do', async () => {
  const agent = start('sync-0', '--concurrency', '0', '--request-timeout', '0s', '--api-server', 'http://x');
  expect(await agent.exited).toEqual({ code: 2, signal: null });
  expect(agent.stderr.trim().split('\n')).toHaveLength(1);
  expect(agent.stderr).toContain('--concurrency "0": is not a number from 1 to 1000, write it like 16');
  expect(agent.stderr).toContain('--request-timeout');
  expect(agent.stderr).toContain('--api-server "http://x"');
});
