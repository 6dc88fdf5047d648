import { configMap, Harness, metric, until } from './harness';
import { kubernetesEndpoints } from '../../../../src/agent/contract/kubernetes-endpoints';
import { FakeCluster } from '../support/fake-api/fake-cluster';
import { AnyObject } from '../support/fake-api/object-store';

const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const INVENTORY = '/api/v1/namespaces/kube-system/configmaps/tenant-sync-inventory';
const KEPT = { kubernetesEndpoints: 'kept' };

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.create();
});
afterEach(async () => harness.close());

function endpoints(address = '203.0.113.10', port = 20001): object[] {
  const written = kubernetesEndpoints([address], port, 'IPv4');
  return [written.endpoints, ...written.slices];
}

function bundle(name: string, objects = endpoints(), settings: object = KEPT): void {
  harness.bundle(name, { objects: [...objects, configMap('further')], settings });
}

/** Where the slices lead. */
function published(tenant: FakeCluster): string[] {
  return tenant.store.list(SLICES).flatMap(({ endpoints: all, ports: [{ port }] }) =>
    (all ?? []).flatMap(({ addresses }: any) => addresses.map((address: string) => `${address}:${port}`)));
}

function legacy(tenant: FakeCluster): string[] {
  return (tenant.object(`${ENDPOINTS}/kubernetes`)?.subsets ?? []).flatMap((subset: any) => subset.addresses.map(({ ip }: any) => `${ip}:${subset.ports[0].port}`));
}

async function kept(tenant: FakeCluster, where = '203.0.113.10:20001'): Promise<void> {
  await until(`the endpoints are ${where}`, () => published(tenant).join() === where && legacy(tenant).join() === where);
}

/** Records every state in which nobody is published; the slices are what pods see. */
function emptyStates(tenant: FakeCluster): string[] {
  const empty: string[] = [];
  let was = published(tenant).length > 0;
  tenant.store.subscribe(({ resource, resourceVersion }) => {
    const is = published(tenant).length > 0;
    if (resource === SLICES && was && !is) empty.push(String(resourceVersion));
    was = is;
  });
  return empty;
}

function slice(name: string, addresses: string[], labels: object = {}): AnyObject {
  return {
    metadata: { name, labels: { 'kubernetes.io/service-name': 'kubernetes', ...labels } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
    endpoints: addresses.map(address => ({ addresses: [address] })),
  };
}

describe('endpoints of default/kubernetes that sync keeps', () => {
  test('are written as a whole, beside the other objects, and are none that an inventory removes', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    harness.start();
    await harness.synced('a');
    await kept(tenant);
    expect(tenant.applied()).toEqual(['ConfigMap further']);
    expect(tenant.object(INVENTORY)!.data['inventory.json']).not.toContain('Endpoint');
  });

  test('are repaired when somebody empties them, as the last lease server does while it stops', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    const { program } = harness.start();
    await harness.synced('a');
    await until('the tenant is watched', () => tenant.openWatches() === 2);
    tenant.put(`${SLICES}/kubernetes`, { ...tenant.object(`${SLICES}/kubernetes`)!, endpoints: [] });
    tenant.put(`${ENDPOINTS}/kubernetes`, { ...tenant.object(`${ENDPOINTS}/kubernetes`)!, subsets: [] });
    await kept(tenant);
    tenant.remove(`${SLICES}/kubernetes`);
    await kept(tenant);
    tenant.remove(`${ENDPOINTS}/kubernetes`);
    await kept(tenant);
    expect(await metric(program, 'tcp_proxy_sync_endpoint_repairs_total')).toBeGreaterThan(0);
    expect(await metric(program, 'tcp_proxy_sync_kept_endpoints', { followed: 'true' })).toBe(1);
  });

  test('are the only ones of the Service: slices of others go', async () => {
    const tenant = await harness.tenant('a');
    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', ['10.0.0.1']));
    tenant.put(`${SLICES}/kubernetes-x7k2p`, slice('kubernetes-x7k2p', ['10.0.0.1'], { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' }));
    bundle('a');
    harness.start();
    await kept(tenant);
    await until('the tenant is watched', () => tenant.openWatches() === 2);
    tenant.put(`${SLICES}/again`, slice('again', ['10.0.0.1']));
    await kept(tenant);
    expect(tenant.store.list(SLICES).map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
  });

  test('move to another address and port without a moment without endpoints', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    harness.start();
    await kept(tenant);
    const empty = emptyStates(tenant);
    bundle('a', endpoints('203.0.113.11', 20002));
    await kept(tenant, '203.0.113.11:20002');
    await harness.synced('a');
    expect(empty).toEqual([]);
  });

  test('take over from a tcp-proxy, and leave to one, without a moment without endpoints', async () => {
    const tenant = await harness.tenant('a');
    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', ['10.0.0.1'], { 'endpointslice.kubernetes.io/managed-by': 'tcp-proxy.cdk8s-hosted-control-plane' }));
    bundle('a', [], { kubernetesEndpoints: 'owned' });
    harness.start();
    await harness.synced('a');
    const empty = emptyStates(tenant);
    bundle('a');
    await harness.synced('a');
    await kept(tenant);

    bundle('a', [], { kubernetesEndpoints: 'owned' });
    await harness.synced('a');
    expect(published(tenant)).toEqual(['203.0.113.10:20001']);
    // The proxies write now, and nobody undoes it.
    await until('the tenant is watched no more', () => tenant.openWatches() === 0);
    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', ['10.0.0.1']));
    await harness.noticed();
    expect(published(tenant)).toEqual(['10.0.0.1:6443']);
    expect(empty).toEqual([]);
  });

  test('are handed back when they leave the bundle: sync waits until the API server writes its own', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    harness.start();
    await harness.synced('a');
    bundle('a', [], {});
    await harness.phase('a', 'Pruning', 'default/kubernetes has no endpoints');
    expect(published(tenant)).toEqual([]);
    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', ['10.0.0.1']));
    await harness.synced('a');
    expect(published(tenant)).toEqual(['10.0.0.1:6443']);
  });

  test('are handed back when the bundle is gone', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    harness.start();
    await harness.synced('a');
    harness.removeBundle('a');
    await harness.phase('a', 'Removing', 'default/kubernetes has no endpoints');
    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', ['10.0.0.1']));
    await until('the status is gone', () => harness.status('a') === undefined);
    expect(tenant.object(INVENTORY)).toBeUndefined();
  });

  test('of a new tenant are there, with all else, once its API server answers', async () => {
    const tenant = await harness.tenant('a');
    await tenant.stop();
    bundle('a');
    harness.start();
    // By now the next visit is far away.
    await until('the visit has failed often', () => harness.logs.filter(({ msg }) => msg === 'tenant not synced, retrying').length >= 3);
    await tenant.start();
    await kept(tenant);
    await harness.synced('a');
  });

  test('are followed again after the API server was away, also by a process that finds all in order', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    const first = harness.start();
    await harness.synced('a');
    await until('the tenant is watched', () => tenant.openWatches() === 2);
    await tenant.stop();
    await tenant.start();
    await until('the tenant is watched again', () => tenant.openWatches() === 2);
    await first.stop();
    expect(tenant.openWatches()).toBe(0);

    tenant.put(`${SLICES}/kubernetes`, slice('kubernetes', []));
    harness.start({ podName: 'sync-1' });
    await kept(tenant);
  });

  test('that are not among the objects are a fault of the bundle', async () => {
    await harness.tenant('a');
    bundle('a', []);
    harness.start();
    await harness.phase('a', 'Failed', 'the endpoints of default/kubernetes are to be kept, and are not among the objects');
  });
});

describe('a tenant that rewrites its endpoints all the time', () => {
  test('is written to ever more rarely, and others are served meanwhile', async () => {
    const [hostile, other] = [await harness.tenant('hostile'), await harness.tenant('other')];
    // With each write of sync, the address is another one again.
    const writes: number[] = [];
    hostile.store.subscribe(({ resource, after }) => {
      if (resource !== SLICES || after?.endpoints[0]?.addresses[0] !== '203.0.113.10') return;
      writes.push(performance.now());
      setImmediate(() => hostile.put(`${SLICES}/kubernetes`, { ...after, endpoints: [{ addresses: ['10.9.9.9'] }] }));
    });
    bundle('hostile');
    harness.start();
    const looks = () => hostile.audit.filter(({ verb, resource }) => verb === 'list' && resource === 'endpoints').length;
    await until('sync has begun to look', () => looks() >= 6);
    bundle('other');
    await kept(other);
    await until('it was looked at often', () => looks() >= 30);
    // Five rounds for a look and no more; between looks half of 100 ms, 200 ms, 400 ms and so on at least. The visit adds a look of its own.
    expect(writes.at(-1)! - writes[0]).toBeGreaterThan((100 + 200 + 400 + 800) / 2);
    const [log] = harness.logs.filter(({ msg, tenant }) => tenant === 'tenants.hostile' && String(msg).includes('somebody changed the endpoints'));
    expect(log).toMatchObject({ level: 40 });
  });

  test('or rings the bell for nothing costs looks, and no writes', async () => {
    const tenant = await harness.tenant('a');
    bundle('a');
    const { program } = harness.start();
    await harness.synced('a');
    await until('the tenant is watched', () => tenant.openWatches() === 2);
    const before = tenant.audit.length;
    const watches = () => tenant.audit.filter(({ verb }) => verb === 'watch').length;
    for (let i = 0; i < 5; i++) {
      const seen = watches();
      tenant.bookmark();
      await until('it is watched again', () => watches() === seen + 2);
    }
    expect(tenant.audit.slice(before).filter(({ verb }) => verb !== 'list' && verb !== 'watch')).toEqual([]);
    expect(await metric(program, 'tcp_proxy_sync_endpoint_repairs_total')).toBe(0);
  });
});
