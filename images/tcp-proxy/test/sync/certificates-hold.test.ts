import { certificateOf, Harness, until } from './harness';
import { HELD_BY } from '../../../../src/agent/contract/bundle';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const CA = '/api/v1/namespaces/kube-system/configmaps/tcp-proxy-ca';
const SOON = { certificatesOnly: true, resyncInterval: 50 };

/** Two management clusters that have one tenant, whose certificate alone is kept. */
let old: Harness;
let next: Harness;
let tenant: FakeCluster;

beforeEach(async () => {
  [old, next] = [await Harness.create(), await Harness.create()];
  tenant = await old.tenant('a');
  next.kubeconfig('a', tenant.url, { ca: old.certificate.ca });
  old.authority('a');
  // The Secret of the tenant's CA comes along.
  next.management.put('/api/v1/namespaces/tenants/secrets/a-ca', old.management.object('/api/v1/namespaces/tenants/secrets/a-ca')!);
  next.grant();
});

afterEach(async () => {
  await Promise.all([old.close(), next.close()]);
});

const holder = () => tenant.object(CA)?.metadata.annotations[HELD_BY];
const holdOf = (harness: Harness) => JSON.parse(harness.status('a')!['tenant.json']).hold;

async function keptBy(harness: Harness, options: object = SOON): Promise<ReturnType<Harness['start']>> {
  harness.bundle('a', { settings: certificateOf('a') });
  const running = harness.start(options);
  await harness.synced('a');
  return running;
}

describe('a tenant whose certificate two management clusters would keep', () => {
  test('is held by the one that came last, and the other sees that and lets go', async () => {
    await keptBy(old);
    expect(holder()).toBe(holdOf(old).id);
    await keptBy(next);
    await old.phase('a', 'Moved', 'another sync, e.g. that of another management cluster, holds the tenant now');
    expect(holder()).toBe(holdOf(next).id);
    expect(holdOf(next).taking).toBeUndefined();
  });

  test('keeps its certificate when its bundle leaves the one that held it before, even if that has not looked since', async () => {
    await keptBy(old, { certificatesOnly: true });
    await (await keptBy(next)).stop();
    old.removeBundle('a');
    await until('the old one has forgotten it', () => old.status('a') === undefined);
    expect(tenant.deleted()).toEqual([]);
  });

  test('is taken back by the deletion of the status', async () => {
    await keptBy(old);
    await keptBy(next);
    await old.phase('a', 'Moved');
    old.management.remove('/api/v1/namespaces/tenant-sync/configmaps/tenants-a-status');
    await old.synced('a');
    await next.phase('a', 'Moved');
    next.removeBundle('a');
    await until('the new one has forgotten it', () => next.status('a') === undefined);
    expect(tenant.deleted()).toEqual([]);
  });

  test('is taken over as a whole also when the first attempt ended after the tenant was told', async () => {
    await keptBy(old);
    const { id } = holdOf(old);
    next.management.fail(({ verb, body }) => verb === 'update' && body?.metadata.name === 'tenants-a-status' && holder() !== id, 500, 'InternalError', 1);
    await keptBy(next);
    await old.phase('a', 'Moved');
    expect(holder()).toBe(holdOf(next).id);
  });

  test('that a sync of whole bundles takes over is left by the one for certificates alone', async () => {
    await keptBy(old);
    await keptBy(next, { resyncInterval: 50 });
    await old.phase('a', 'Moved');
    expect(holder()).toBe(holdOf(next).id);
  });

  test('of an older release, which said nothing, is held by it as soon as it writes again', async () => {
    await (await keptBy(old)).stop();
    const { [HELD_BY]: _, ...annotations } = tenant.object(CA)!.metadata.annotations;
    tenant.put(CA, { ...tenant.object(CA)!, metadata: { ...tenant.object(CA)!.metadata, annotations } });
    const path = '/api/v1/namespaces/tenant-sync/configmaps/tenants-a-status';
    const status = old.management.object(path)!;
    const { hold: __, ...record } = JSON.parse(status.data['tenant.json']);
    old.management.put(path, { ...status, data: { ...status.data, 'tenant.json': JSON.stringify(record) } });
    old.start(SOON);
    await until('it is held', () => holder() !== undefined);
    expect(holder()).toBe(holdOf(old).id);
  });
});
