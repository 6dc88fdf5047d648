import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { AddressInfo } from 'node:net';
import { BUNDLES, certificateOf, configMap, Harness, INVENTORY, until } from './harness';
import { FakeCluster } from '../support/fake-api/fake-cluster';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/kube-system/configmaps';

let harness: Harness;
let tenant: FakeCluster;

beforeEach(async () => {
  harness = await Harness.create();
  tenant = await harness.tenant('a');
  harness.authority('a');
});

afterEach(async () => harness.close());

const start = () => harness.start({ certificatesOnly: true });

async function keptFor(settings: object = certificateOf('a')): Promise<void> {
  harness.bundle('a', { settings });
  await harness.synced('a');
}

test('a Secret and a ConfigMap are all that is written to the tenant', async () => {
  start();
  await keptFor();
  expect(tenant.applied().sort()).toEqual(['ConfigMap tcp-proxy-ca', 'Secret tcp-proxy-tls']);
  expect(tenant.writes()).toHaveLength(2);
  expect(tenant.object(INVENTORY)).toBeUndefined();
  expect(harness.status('a')!.message).toBe('the certificate');
});

test('a bundle that has not changed is looked at without a write', async () => {
  harness.start({ certificatesOnly: true, resyncInterval: 50 });
  await keptFor();
  const { length } = tenant.audit;
  await until('the tenant is visited again', () => tenant.audit.slice(length).filter(({ resource, verb }) => resource === 'secrets' && verb === 'get').length > 1);
  expect(tenant.writes()).toHaveLength(2);
});

test('objects that somebody puts into the bundle are not applied', async () => {
  start();
  harness.bundle('a', { objects: [configMap('one')], settings: certificateOf('a') });
  await harness.synced('a');
  expect(tenant.applied()).not.toContain('ConfigMap one');
});

test.each([
  ['no certificate', {}, 1],
  ['the endpoints of default/kubernetes', { ...certificateOf('a'), kubernetesEndpoints: 'owned' }, 1],
  ['more than one part', certificateOf('a'), 2],
])('a bundle with %s is refused', async (_, settings, parts) => {
  start();
  harness.bundle('a', { settings, parts });
  if (parts === 2) harness.bundle('a', { settings, parts, part: 2 });
  await harness.phase('a', 'Failed', '--certificates-only');
  expect(tenant.audit).toEqual([]);
});

test('a changed name leaves no Secret behind, whoever syncs next', async () => {
  const first = start();
  await keptFor();
  await first.stop();
  start();
  await keptFor(certificateOf('a', { secretName: 'other-tls' }));
  expect(tenant.object(`${SECRETS}/other-tls`)).toBeDefined();
  expect(tenant.deleted()).toEqual(['secrets tcp-proxy-tls']);
});

test('a tenant that leaves has both taken away, and nothing that somebody else made', async () => {
  tenant.put(`${SECRETS}/other`, { metadata: { namespace: 'kube-system' } });
  start();
  await keptFor();
  harness.removeBundle('a');
  await until('the status is gone', () => harness.status('a') === undefined);
  expect(tenant.deleted().sort()).toEqual(['configmaps tcp-proxy-ca', 'secrets tcp-proxy-tls']);
  expect(tenant.object(`${CONFIG_MAPS}/tcp-proxy-ca`)).toBeUndefined();
});

test('a Secret that took the place of ours stays when the tenant leaves', async () => {
  start();
  await keptFor();
  tenant.remove(`${SECRETS}/tcp-proxy-tls`);
  tenant.put(`${SECRETS}/tcp-proxy-tls`, { metadata: { namespace: 'kube-system' }, type: 'kubernetes.io/tls' });
  harness.removeBundle('a');
  await until('the status is gone', () => harness.status('a') === undefined);
  expect(tenant.object(`${SECRETS}/tcp-proxy-tls`)).toBeDefined();
});

test('a tenant that leaves together with its kubeconfig is forgotten, with a word in the log', async () => {
  start();
  await keptFor();
  harness.management.remove('/api/v1/namespaces/tenants/secrets/a-admin-kubeconfig');
  harness.removeBundle('a');
  await until('the status is gone', () => harness.status('a') === undefined);
  expect(harness.logs).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('nothing is removed there') }));
});

test('a namespace that its delivery has not made yet is waited for', async () => {
  start();
  harness.bundle('a', { settings: certificateOf('a', { namespace: 'proxies' }) });
  await harness.phase('a', 'Failed', 'namespaces "proxies" not found');
  tenant.put('/api/v1/namespaces/proxies', {});
  await harness.synced('a');
});

test('what is asked of both clusters is what the Roles of a full sync allow', async () => {
  start();
  await keptFor();
  expect(harness.management.audit.filter(({ status }) => status === 403)).toEqual([]);
  const asked = harness.management.audit.filter(({ resource }) => resource === 'secrets').map(({ name, verb }) => `${verb} ${name}`);
  expect([...new Set(asked)].sort()).toEqual(['get a-admin-kubeconfig', 'get a-ca']);
});

test.each([
  ['never ends', (response: ServerResponse) => {
    const more = () => response.write(' '.repeat(64 * 1024), (error) => error || setImmediate(more));
    more();
  }, 'longer than'],
  ['never comes', () => undefined, 'from the API server'],
  ['is nested without end', (response: ServerResponse) => response.end('['.repeat(200_000)), 'deeper'],
])('an answer that %s ends in a status of its tenant alone', async (_, answer, message) => {
  const { cert, key } = harness.certificate;
  const server = createServer({ cert, key }, (_request: IncomingMessage, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  harness.kubeconfig('evil', `https://localhost:${(server.address() as AddressInfo).port}`);
  harness.authority('evil');
  harness.bundle('evil', { settings: certificateOf('evil') });
  harness.start({ certificatesOnly: true, requestTimeout: 300 });
  await keptFor();
  await harness.phase('evil', 'Failed', message);
  server.close();
  server.closeAllConnections();
});

test('the bundles are those of its own namespace alone', async () => {
  start();
  await keptFor();
  const collections = harness.management.audit.filter(({ resource }) => resource === 'configmaps').map(({ collection }) => collection);
  expect([...new Set(collections)]).toEqual([BUNDLES]);
});
