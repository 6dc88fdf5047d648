import { BUNDLES, configMap, deployment, Harness, INVENTORY, metric, until } from './harness';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const DEFAULT = '/api/v1/namespaces/default/configmaps';
const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [{ name: 'v1', served: true }] },
};
const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'apps' }, spec: {} };
/** A line of text that as JSON is longer than any memory. */
const ALIASES = [
  'apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: x}', 'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join()}]`),
].join('\n');
const APPS = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'apps' } };

let harness: Harness;
let tenant: FakeCluster;

beforeEach(async () => {
  harness = await Harness.create();
  tenant = await harness.tenant('a');
});

afterEach(async () => harness.close());

describe('a bundle', () => {
  test('is applied, and its status says so', async () => {
    harness.bundle('a', { objects: [configMap('one'), deployment('two')] });
    const { program } = harness.start();
    await harness.synced('a');
    expect(tenant.object(`${DEFAULT}/one`)?.data).toEqual({ a: '1' });
    expect(tenant.applied()).toEqual(['ConfigMap one', 'Deployment two']);
    expect(harness.status('a')).toMatchObject({ phase: 'Synced', message: '2 objects' });
    await until('it is counted', async () => await metric(program, 'tcp_proxy_sync_tenants', { phase: 'Synced' }) === 1);
    expect(await metric(program, 'tcp_proxy_sync_leader')).toBe(1);
  });

  test('is applied with server-side apply, one field manager, by force', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start();
    await harness.synced('a');
    const [{ query }] = tenant.audit.filter(({ verb }) => verb === 'patch');
    expect(Object.fromEntries(query)).toEqual({ fieldManager: 'tenant-sync', force: 'true' });
  });

  test('brings namespaces and definitions first, whatever its order', async () => {
    harness.bundle('a', { objects: [WIDGET, configMap('one'), WIDGETS, APPS] });
    harness.start();
    await harness.synced('a');
    expect(tenant.applied()).toEqual(['Namespace apps', 'CustomResourceDefinition widgets.example.com', 'Widget w', 'ConfigMap one']);
  });

  test('waits until the kinds of its definitions are served', async () => {
    tenant.definitionsPending = true;
    harness.bundle('a', { objects: [WIDGETS, APPS, WIDGET] });
    harness.start();
    await until('the kinds of its group are asked for again and again', () =>
      tenant.audit.filter(({ collection }) => collection === '/apis/example.com/v1').length > 2);
    expect(tenant.applied()).not.toContain('Widget w');
    tenant.establishDefinitions();
    await harness.synced('a');
    expect(tenant.applied()).toContain('Widget w');
  });

  test('that changes is applied again, one that does not is left alone', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start();
    await harness.synced('a');
    const requests = tenant.audit.length;
    await harness.noticed();
    expect(tenant.audit).toHaveLength(requests);
    harness.bundle('a', { objects: [configMap('one', { a: '2' })] });
    await harness.synced('a');
    expect(tenant.object(`${DEFAULT}/one`)?.data).toEqual({ a: '2' });
  });

  test('is asked for its kinds once', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start();
    await harness.synced('a');
    harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
    await harness.synced('a');
    expect(tenant.audit.filter(({ collection }) => collection === '/api/v1')).toHaveLength(1);
  });

  test('of several parts is applied when all of them are there with one checksum', async () => {
    const settings = { checksum: 'new' };
    harness.bundle('a', { objects: [configMap('one')], settings, part: 1, parts: 2 });
    harness.start();
    await harness.phase('a', 'Waiting', 'part 2 of 2');
    harness.bundle('a', { objects: [configMap('two')], settings: { checksum: 'old' }, part: 2, parts: 2 });
    await harness.phase('a', 'Waiting', 'same checksum');
    expect(tenant.audit).toEqual([]);
    harness.bundle('a', { objects: [configMap('two')], settings, part: 2, parts: 2 });
    await harness.phase('a', 'Synced', '2 objects');
    expect(tenant.applied()).toEqual(['ConfigMap one', 'ConfigMap two']);
  });

  test.each([
    ['objects that are not YAML', { yaml: 'a: [' }, 'not YAML'],
    ['an object without a kind', { objects: [{ apiVersion: 'v1', metadata: { name: 'x' } }] }, 'kind is missing'],
    ['settings of another version', { settings: { version: 2 } }, 'version'],
    ['settings without a kubeconfig', { settings: { kubeconfig: undefined } }, 'kubeconfig'],
    ['more parts than can be', { parts: 4_000_000_000 }, 'tenant.json parts'],
    ['settings of arrays in each other', { settings: { more: nested(1_000) } }, 'tenant.json is nested deeper than 16'],
    ['settings without end', { settings: { more: 'x'.repeat(100_000) } }, 'tenant.json is longer than 65536 bytes'],
    ['objects of aliases of aliases', { yaml: ALIASES }, 'more than 500000 values'],
    ['an object that holds itself', { yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata: &a {name: x, self: *a}' }, 'more than 500000 values'],
    ['more objects than an inventory holds', { objects: Array.from({ length: 6_000 }, (__, i) => configMap(`config-${i}`)) }, 'too many for one tenant'],
  ])('with %s fails with a message, and the others go on', async (_, bundle, message) => {
    const other = await harness.tenant('b');
    harness.bundle('a', bundle);
    harness.bundle('b', { objects: [configMap('one')] });
    const { program } = harness.start();
    await harness.phase('a', 'Failed', message);
    await harness.synced('b');
    expect(other.applied()).toEqual(['ConfigMap one']);
    expect(await metric(program, 'tcp_proxy_sync_errors_total', { reason: 'bundle' })).toBeGreaterThan(0);
  });

  test('with an object that is refused applies the others, and says which it was', async () => {
    tenant.fail(({ verb, name }) => verb === 'patch' && name === 'one', 422, 'Invalid', 1_000);
    harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
    harness.start();
    await harness.phase('a', 'Failed', 'ConfigMap default/one: injected 422');
    expect(tenant.applied()).toContain('ConfigMap two');
  });

  test('of a tenant that comes late is applied then', async () => {
    await tenant.stop();
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start();
    await harness.phase('a', 'Failed', 'cannot reach the tenant');
    await tenant.start();
    await harness.synced('a');
  });
});

describe('drift', () => {
  test('is repaired within the period, and that writes no status', async () => {
    harness.bundle('a', { objects: [configMap('one'), configMap('two')] });
    harness.start({ resyncInterval: 200 });
    await harness.synced('a');
    const writes = harness.statusWrites('a');
    tenant.put(`${DEFAULT}/one`, { ...configMap('one', { a: 'edited' }) });
    tenant.remove(`${DEFAULT}/two`);
    await until('it is repaired', () => tenant.object(`${DEFAULT}/one`)?.data.a === '1' && tenant.object(`${DEFAULT}/two`) !== undefined);
    expect(harness.statusWrites('a')).toBe(writes);
  });

  test('is looked for without writes when there is none', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start({ resyncInterval: 50 });
    await harness.synced('a');
    const { version } = tenant.store;
    const looked = () => tenant.audit.filter(({ verb }) => verb === 'patch').length;
    const before = looked();
    await until('it is looked for several times', () => looked() > before + 3);
    expect(tenant.store.version).toBe(version);
    expect(harness.statusWrites('a')).toBe(2);
  });
});

describe('a Secret of the tenant', () => {
  test('is read once for a visit', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start();
    await harness.synced('a');
    expect(harness.management.audit.filter(({ name, verb }) => name === 'a-admin-kubeconfig' && verb === 'get')).toHaveLength(1);
  });

  test('that changes is a reason to visit it, long before the next check', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start({ secretsInterval: 50 });
    await harness.synced('a');
    tenant.remove(`${DEFAULT}/one`);
    harness.kubeconfig('a', tenant.url);
    await until('it is visited', () => tenant.object(`${DEFAULT}/one`) !== undefined);
  });

  test('that stays as it was is none: the tenant is left in peace', async () => {
    harness.bundle('a', { objects: [configMap('one')] });
    harness.start({ secretsInterval: 50 });
    await harness.synced('a');
    const visits = tenant.audit.length;
    const looks = () => harness.management.audit.filter(({ resource }) => resource === 'secrets').length;
    const before = looks();
    await until('it is looked at several times', () => looks() > before + 3);
    expect(tenant.audit).toHaveLength(visits);
  });
});

test('a status that is deleted comes back', async () => {
  harness.bundle('a', { objects: [configMap('one')] });
  harness.start();
  await harness.synced('a');
  await harness.noticed();
  harness.management.remove(`${BUNDLES}/tenants-a-status`);
  await harness.synced('a');
});

test('the inventory is written before the first object', async () => {
  harness.bundle('a', { objects: [configMap('one')] });
  harness.start();
  await harness.synced('a');
  const writes = tenant.writes().map(({ verb, name, body }) => `${verb} ${name ?? body.metadata.name}`);
  expect(writes.indexOf('create tenant-sync-inventory')).toBeLessThan(writes.indexOf('patch one'));
  expect(JSON.parse(tenant.object(INVENTORY)!.data['inventory.json']).objects)
    .toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' }]);
});

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
