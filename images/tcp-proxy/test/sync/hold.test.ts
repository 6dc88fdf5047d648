import { BUNDLES, configMap, Harness, INVENTORY, metric, until } from './harness';
import { HELD_BY } from '../../../../src/agent/contract/bundle';
import { kubernetesEndpoints } from '../../../../src/agent/contract/kubernetes-endpoints';
import { Visits } from '../../src/sync/visits';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const KEPT = { kubernetesEndpoints: 'kept' };
const SOON = { resyncInterval: 50 };

/** Two management clusters that have one tenant. */
let old: Harness;
let next: Harness;
let tenant: FakeCluster;

beforeEach(async () => {
  [old, next] = [await Harness.create(), await Harness.create()];
  tenant = await old.tenant('a');
  next.kubeconfig('a', tenant.url, { ca: old.certificate.ca });
});

afterEach(async () => {
  await Promise.all([old.close(), next.close()]);
});

const valueOf = (name: string) => tenant.object(`${CONFIG_MAPS}/${name}`)?.data.a;

function endpoints(address: string): object[] {
  const { endpoints: legacy, slices } = kubernetesEndpoints([address], 20001, 'IPv4');
  return [legacy, ...slices];
}

const published = () => tenant.object(SLICE)?.endpoints.flatMap(({ addresses }: any) => addresses).join();

/** What the old cluster brought, and then the new one. */
async function taken(): Promise<void> {
  old.bundle('a', { objects: [configMap('both', { a: 'old' }), configMap('of-old')] });
  old.start(SOON);
  await old.synced('a');
  next.bundle('a', { objects: [configMap('both', { a: 'new' })] });
  next.start(SOON);
  await next.synced('a');
}

describe('a tenant with a bundle in two management clusters', () => {
  test('is held by the one that came last, and the other sees that and lets go', async () => {
    await taken();
    await old.phase('a', 'Moved', 'another sync, e.g. that of another management cluster, holds the tenant now');
    const { length } = tenant.applied();
    await until('the new one has applied again', () => tenant.applied().length > length + 3);
    expect([valueOf('both'), valueOf('of-old')]).toEqual(['new', undefined]);
    expect(tenant.deleted()).toEqual(['configmaps of-old']);
    expect(old.status('a')!.phase).toBe('Moved');
  });

  test('is left as it is when its bundle leaves the one that held it before', async () => {
    await taken();
    await old.phase('a', 'Moved');
    old.removeBundle('a');
    await until('the old one has forgotten it', () => old.status('a') === undefined);
    expect(valueOf('both')).toBe('new');
    expect(tenant.object(INVENTORY)!.metadata.annotations[HELD_BY]).toBe(JSON.parse(next.status('a')!['tenant.json']).hold.id);
  });

  test('is forgotten then with its credentials', async () => {
    await taken();
    await old.phase('a', 'Moved');
    const forgets = jest.spyOn(Visits.prototype, 'forget');
    try {
      old.removeBundle('a');
      await until('the old one has forgotten it', () => old.status('a') === undefined);
      expect(forgets.mock.calls).toEqual([['tenants.a']]);
    } finally {
      forgets.mockRestore();
    }
  });

  test('is left as it is even if that one has not looked since, and while the new one is not there', async () => {
    old.bundle('a', { objects: [configMap('both', { a: 'old' })] });
    old.start();
    await old.synced('a');
    next.bundle('a', { objects: [configMap('both', { a: 'new' })] });
    const running = next.start();
    await next.synced('a');
    await running.stop();
    old.removeBundle('a');
    await until('the old one has forgotten it', () => old.status('a') === undefined);
    expect(valueOf('both')).toBe('new');
    expect(tenant.deleted()).toEqual([]);
  });

  test('is forgotten by the one that held it before, although the API server there is gone', async () => {
    await taken();
    await old.phase('a', 'Moved');
    old.kubeconfig('a', 'https://localhost:1');
    old.bundle('a', { objects: [configMap('both', { a: 'old, changed' })] });
    await old.noticed();
    expect(old.status('a')!.phase).toBe('Moved');
    old.removeBundle('a');
    await until('the old one has forgotten it', () => old.status('a') === undefined);
    expect(valueOf('both')).toBe('new');
  });

  test('is taken back by the deletion of the status, and left as it is by the other then', async () => {
    await taken();
    await old.phase('a', 'Moved');
    old.management.remove(`${BUNDLES}/tenants-a-status`);
    await old.synced('a');
    await next.phase('a', 'Moved');
    next.removeBundle('a');
    await until('the new one has forgotten it', () => next.status('a') === undefined);
    expect([valueOf('both'), valueOf('of-old')]).toEqual(['old', '1']);
  });

  test('is held by the one that came last also when not all could ever be applied before', async () => {
    tenant.fail(({ verb, name }) => verb === 'patch' && name === 'refused', 422, 'Invalid', Infinity);
    old.bundle('a', { objects: [configMap('both', { a: 'old' }), configMap('refused')] });
    old.start(SOON);
    await until('it was tried again', () => old.logs.filter(({ msg }) => msg === 'tenant not synced, retrying').length >= 3);
    next.bundle('a', { objects: [configMap('both', { a: 'new' })] });
    next.start(SOON);
    await next.synced('a');
    await old.phase('a', 'Moved');
    expect(valueOf('both')).toBe('new');
  });

  test('stays where it is over restarts of both', async () => {
    old.bundle('a', { objects: [configMap('both', { a: 'old' })] });
    const [first] = [old.start()];
    await old.synced('a');
    next.bundle('a', { objects: [configMap('both', { a: 'new' })] });
    const second = next.start();
    await next.synced('a');
    await Promise.all([first.stop(), second.stop()]);
    old.bundle('a', { objects: [configMap('both', { a: 'old, changed' })] });
    old.start();
    await old.phase('a', 'Moved');
    next.bundle('a', { objects: [configMap('both', { a: 'new, changed' })] });
    next.start();
    await next.synced('a');
    expect(valueOf('both')).toBe('new, changed');
  });

  test('of an older release is held by it once it is synced again', async () => {
    old.bundle('a', { objects: [configMap('both')] });
    const first = old.start();
    await old.synced('a');
    await first.stop();
    const { [HELD_BY]: held, ...annotations } = tenant.object(INVENTORY)!.metadata.annotations;
    expect(held).toBeDefined();
    tenant.put(INVENTORY, { ...tenant.object(INVENTORY)!, metadata: { ...tenant.object(INVENTORY)!.metadata, annotations } });
    const status = old.management.object(`${BUNDLES}/tenants-a-status`)!;
    const { hold: _, ...record } = JSON.parse(status.data['tenant.json']);
    old.management.put(`${BUNDLES}/tenants-a-status`, { ...status, data: { ...status.data, 'tenant.json': JSON.stringify(record) } });
    old.start(SOON);
    await until('it is held', () => tenant.object(INVENTORY)!.metadata.annotations?.[HELD_BY] !== undefined);
    next.bundle('a', { objects: [configMap('both')] });
    next.start();
    await old.phase('a', 'Moved');
  });
});

describe('endpoints of default/kubernetes that two would keep', () => {
  test('are those of the one that came last, without a fight and without a moment without', async () => {
    old.bundle('a', { objects: endpoints('203.0.113.10'), settings: KEPT });
    const first = old.start();
    await old.synced('a');
    const states: (string | undefined)[] = [published()];
    tenant.store.subscribe(() => {
      if (published() !== states[states.length - 1]) states.push(published());
    });
    await until('the old one follows them', async () => await metric(first.program, 'tcp_proxy_sync_kept_endpoints', { followed: 'true' }) === 1);
    next.bundle('a', { objects: endpoints('203.0.113.20'), settings: KEPT });
    const second = next.start();
    await next.synced('a');
    await old.phase('a', 'Moved');
    await until('the old one keeps them no more', async () => await metric(first.program, 'tcp_proxy_sync_kept_endpoints') === 0);
    await until('the new one follows them', async () => await metric(second.program, 'tcp_proxy_sync_kept_endpoints', { followed: 'true' }) === 1);
    old.removeBundle('a');
    await until('the old one has forgotten it', () => old.status('a') === undefined);
    expect(states).toEqual(['203.0.113.10', '203.0.113.20']);
    expect(await metric(first.program, 'tcp_proxy_sync_endpoint_repairs_total')).toBe(0);
  });
});
