import { BUNDLES, configMap, deployment, Harness, INVENTORY, until } from './harness';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const OURS = { 'endpointslice.kubernetes.io/managed-by': 'tcp-proxy.cdk8s-hosted-control-plane' };

let harness: Harness;
let tenant: FakeCluster;

beforeEach(async () => {
  harness = await Harness.create();
  tenant = await harness.tenant('a');
});

afterEach(async () => harness.close());

async function syncedWith(objects: object[], settings = {}): Promise<void> {
  harness.bundle('a', { objects, settings });
  await harness.synced('a');
}

async function gone(): Promise<void> {
  await until('the status is gone', () => harness.status('a') === undefined);
}

function inventory(): string[] {
  return JSON.parse(tenant.object(INVENTORY)!.data['inventory.json']).objects.map(({ name }: { name: string }) => name);
}

describe('what leaves the bundle', () => {
  test('is removed, and nothing else', async () => {
    tenant.put(`${CONFIG_MAPS}/foreign`, configMap('foreign'));
    harness.start();
    await syncedWith([configMap('one'), configMap('two')]);
    await syncedWith([configMap('two')]);
    expect(tenant.deleted()).toEqual(['configmaps one']);
    expect(inventory()).toEqual(['two']);
  });

  test('is removed even if that happened while nobody synced', async () => {
    const first = harness.start();
    await syncedWith([configMap('one'), configMap('two')]);
    await first.stop();
    harness.bundle('a', { objects: [configMap('two')] });
    harness.start();
    await harness.synced('a');
    expect(tenant.deleted()).toEqual(['configmaps one']);
  });

  test('stays when somebody else has put an object of that name there since', async () => {
    harness.start();
    await syncedWith([configMap('one'), configMap('two')]);
    tenant.remove(`${CONFIG_MAPS}/one`);
    tenant.put(`${CONFIG_MAPS}/one`, configMap('one'));
    await syncedWith([configMap('two')]);
    expect(tenant.deleted()).toEqual([]);
    expect(inventory()).toEqual(['two']);
  });

  test('stays when it is a namespace of the cluster itself', async () => {
    harness.start();
    await syncedWith([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }, configMap('two')]);
    await syncedWith([configMap('two')]);
    expect(tenant.deleted()).toEqual([]);
  });

  test('is not removed as long as objects of the bundle are refused', async () => {
    harness.start();
    await syncedWith([configMap('one')]);
    tenant.fail(({ verb, name }) => verb === 'patch' && name === 'two', 422, 'Invalid', 1_000);
    harness.bundle('a', { objects: [configMap('two')] });
    await harness.phase('a', 'Failed', 'two');
    expect(tenant.deleted()).toEqual([]);
    expect(inventory()).toEqual(['one', 'two']);
  });

  test('goes workloads first, and the rest when their pods are gone', async () => {
    harness.start();
    await syncedWith([configMap('needed'), deployment('app'), configMap('kept')]);
    tenant.put(`${PODS}/app-1`, { metadata: { labels: { app: 'app' } } });
    await syncedWithout('needed');
    expect(tenant.deleted()).toEqual(['deployments app']);
    tenant.remove(`${PODS}/app-1`);
    await harness.synced('a');
    await until('the rest is gone', () => tenant.object(`${CONFIG_MAPS}/needed`) === undefined);
    expect(inventory()).toEqual(['kept']);
  });

  test('does not wait for ever for a pod whose node is gone', async () => {
    harness.start();
    await syncedWith([configMap('needed'), deployment('app'), configMap('kept')]);
    tenant.put(`${PODS}/app-1`, { metadata: { labels: { app: 'app' }, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await syncedWith([configMap('kept')]);
    expect(tenant.deleted()).toEqual(['deployments app', 'configmaps needed']);
  });

  test('does not wait for pods that have ended', async () => {
    harness.start();
    await syncedWith([configMap('needed'), deployment('app'), configMap('kept')]);
    tenant.put(`${PODS}/app-1`, { metadata: { labels: { app: 'app' } }, status: { phase: 'Succeeded' } });
    tenant.put(`${PODS}/app-2`, { metadata: { labels: { app: 'app' } }, status: { phase: 'Failed' } });
    await syncedWith([configMap('kept')]);
    expect(tenant.deleted()).toEqual(['deployments app', 'configmaps needed']);
  });

  async function syncedWithout(name: string): Promise<void> {
    harness.bundle('a', { objects: [configMap('kept')] });
    await harness.phase('a', 'Pruning', 'Pod default/app-1');
    expect(tenant.object(`${CONFIG_MAPS}/${name}`)).toBeDefined();
  }
});

describe('a bundle that is deleted', () => {
  test('takes all its objects with it, its inventory and its status', async () => {
    harness.start();
    await syncedWith([configMap('one'), deployment('app')]);
    harness.removeBundle('a');
    await gone();
    expect(tenant.deleted()).toEqual(['deployments app', 'configmaps one', 'configmaps tenant-sync-inventory']);
  });

  test('does so even if that happened while nobody synced', async () => {
    const first = harness.start();
    await syncedWith([configMap('one')]);
    await first.stop();
    harness.removeBundle('a');
    harness.start();
    await gone();
    expect(tenant.object(`${CONFIG_MAPS}/one`)).toBeUndefined();
  });

  test('waits for its tenant to answer', async () => {
    harness.start();
    await syncedWith([configMap('one')]);
    await tenant.stop();
    harness.removeBundle('a');
    await harness.phase('a', 'Removing', 'cannot reach the tenant');
    await tenant.start();
    await gone();
    expect(tenant.object(`${CONFIG_MAPS}/one`)).toBeUndefined();
  });

  test.each([
    ['is gone', () => harness.management.remove('/api/v1/namespaces/tenants/secrets/a-admin-kubeconfig')],
    ['may no longer be read', () => harness.grant([])],
  ])('is forgotten, with a warning, when the kubeconfig %s', async (_, withdraw) => {
    harness.start();
    await syncedWith([configMap('one')]);
    withdraw();
    harness.removeBundle('a');
    await gone();
    expect(harness.logs).toContainEqual(expect.objectContaining({ level: 40, msg: expect.stringContaining('nothing is removed') }));
    expect(tenant.deleted()).toEqual([]);
  });

  test('is not taken for deleted when it cannot be read any more', async () => {
    harness.start();
    await syncedWith([configMap('one')]);
    const bundle = harness.management.object(`${BUNDLES}/tenants-a`)!;
    harness.management.put(`${BUNDLES}/tenants-a`, { ...bundle, data: { 'tenant.json': 'nonsense' } });
    await harness.phase('a', 'Failed', 'tenant.json is not JSON');
    expect(tenant.deleted()).toEqual([]);
  });
});

describe('default/kubernetes', () => {
  const OWNED = { kubernetesEndpoints: 'owned' };

  beforeEach(async () => {
    harness.start();
    await syncedWith([configMap('one'), deployment('app')], OWNED);
  });

  function published(labels: object): void {
    tenant.put(ENDPOINTS, { subsets: [] });
    tenant.put(`${SLICES}/kubernetes`, { metadata: { labels } });
    tenant.put(`${SLICES}/kubernetes-v6`, { metadata: { labels: OURS } });
  }

  /** What an API server without `--endpoint-reconciler-type=none` does. */
  function writtenByApiServer(slice: object = { endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] }): void {
    tenant.put(`${SLICES}/kubernetes`, { metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } }, ...slice });
  }

  test('is given back after the proxies are gone, when it leaves the bundle', async () => {
    published(OURS);
    tenant.put(`${PODS}/app-1`, { metadata: { labels: { app: 'app' } } });
    harness.bundle('a', { objects: [configMap('one')] });
    await harness.phase('a', 'Pruning');
    expect(tenant.object(ENDPOINTS)).toBeDefined();
    tenant.remove(`${PODS}/app-1`);
    await harness.phase('a', 'Pruning', 'default/kubernetes has no endpoints: waits until the API server writes its own, which takes its restart without --endpoint-reconciler-type=none');
    expect(tenant.deleted()).toEqual(['deployments app', 'endpoints kubernetes', 'endpointslices kubernetes', 'endpointslices kubernetes-v6']);
    writtenByApiServer();
    await harness.synced('a');
    expect(tenant.deleted()).toHaveLength(4);
  });

  test.each([
    ['no endpoints', { endpoints: null }],
    ['an endpoint that is not ready', { endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false } }] }],
  ])('is not taken for given back where a slice has %s, and keeps no other tenant waiting', async (_what, slice) => {
    published(OURS);
    writtenByApiServer(slice);
    harness.bundle('a', { objects: [configMap('one')] });
    await harness.phase('a', 'Pruning', 'default/kubernetes has no endpoints');
    await harness.tenant('b');
    harness.bundle('b', { objects: [configMap('one')] });
    await harness.synced('b');
    await harness.phase('a', 'Pruning', 'default/kubernetes has no endpoints');
  });

  test('stays without end as the status says it, whatever else the bundle brings meanwhile', async () => {
    published(OURS);
    harness.bundle('a', { objects: [configMap('one')] });
    await harness.phase('a', 'Pruning', 'default/kubernetes');
    harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
    await until('the second object is there', () => tenant.object(`${CONFIG_MAPS}/two`) !== undefined);
    await harness.phase('a', 'Pruning', 'default/kubernetes');
    writtenByApiServer();
    await harness.synced('a');
  });

  test('is given back when the bundle is deleted', async () => {
    published(OURS);
    harness.removeBundle('a');
    await harness.phase('a', 'Removing', 'default/kubernetes has no endpoints');
    expect([tenant.object(ENDPOINTS), ...tenant.store.list(SLICES)]).toEqual([undefined]);
    expect(tenant.object(INVENTORY)).toBeDefined();
    writtenByApiServer();
    await gone();
    expect(tenant.object(INVENTORY)).toBeUndefined();
  });

  test('is left alone where the API server has taken it already', async () => {
    published({});
    writtenByApiServer();
    harness.removeBundle('a');
    await gone();
    expect(tenant.object(ENDPOINTS)).toBeDefined();
    expect(tenant.store.list(SLICES).map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
  });

  test('is given back by the next process when the first one was stopped in between', async () => {
    published(OURS);
    tenant.fail(({ resource, verb }) => resource === 'endpoints' && verb === 'delete', 500, 'InternalError', 1);
    harness.bundle('a', { objects: [configMap('one')] });
    await harness.phase('a', 'Pruning', 'default/kubernetes has no endpoints');
    expect(tenant.object(ENDPOINTS)).toBeUndefined();
  });
});
