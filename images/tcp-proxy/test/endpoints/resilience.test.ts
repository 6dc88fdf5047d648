import { writeFileSync } from 'node:fs';
import { Harness, Proxy, until } from './harness';
import { SHORT_WITHDRAWAL_MS } from '../../src/endpoints/withdrawal';
import { issueCertificate } from '../support/fake-api/certificates';
import { Request } from '../support/fake-api/fake-api-server';

let harness: Harness;

beforeEach(async () => {
  harness = new Harness();
  harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
  await harness.api.start();
});

afterEach(async () => harness.close());

/** Longer than a test may take. */
const LONG_MS = 60_000;

const isWrite = ({ verb }: Request) => ['create', 'update', 'delete'].includes(verb);
const listsOf = (resource: string) => harness.api.audit.filter((request) => request.verb === 'list' && request.resource === resource);
const watching = async () => until('all four watches are open', () => harness.api.openWatches() === 4);

async function settledProxy(): Promise<Proxy> {
  const proxy = await harness.proxy('a', ['10.0.0.1']);
  await harness.inSync(proxy);
  await watching();
  return proxy;
}

/** A pod that becomes ready, to see that everything before it was processed. */
async function nextPodIsPublished(): Promise<void> {
  harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
  await harness.published('10.0.0.1', '10.0.0.2');
}

describe('repairs', () => {
  test.each(['endpoints', 'endpointslices'])('deleted %s are restored and counted', async (resource) => {
    const proxy = await settledProxy();
    harness.api.store.delete(resource, 'kubernetes');
    await harness.published('10.0.0.1');
    await until('it is counted', async () => await proxy.counter('tcp_proxy_endpoints_repairs_total') === 1);
  });

  test.each([
    ['an address', { endpoints: [{ addresses: ['10.6.6.6'], conditions: { ready: true } }] }],
    ['a condition', { endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false, serving: true, terminating: false } }] }],
    ['the port', { ports: [{ name: 'https', port: 1, protocol: 'TCP' }] }],
  ])('an edit of %s is undone', async (_, edit) => {
    const proxy = await settledProxy();
    const before = harness.slice()!;
    harness.api.store.put('endpointslices', { ...before, ...edit });
    await until('it is undone', () => harness.slice()?.metadata.resourceVersion !== before.metadata.resourceVersion
      && JSON.stringify(harness.slice()?.endpoints) === JSON.stringify(before.endpoints)
      && JSON.stringify(harness.slice()?.ports) === JSON.stringify(before.ports));
    await harness.inSync(proxy);
  });

  test('a removed skip-mirror label is restored', async () => {
    await settledProxy();
    harness.api.store.put('endpoints', { ...harness.endpoints()!, metadata: { name: 'kubernetes' } });
    await until('it is back', () => harness.endpoints()?.metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'] === 'true');
  });

  test('a writer that undoes every repair at once is not fought in a hot loop', async () => {
    const proxy = await settledProxy();
    const sabotage = () => harness.api.store.put('endpointslices', { ...harness.slice()!, endpoints: [{ addresses: ['10.6.6.6'] }] });
    let rounds = 5;
    harness.api.store.subscribe(({ after }) => {
      if (rounds > 0 && after?.endpoints?.[0].addresses[0] === '10.0.0.1') {
        rounds--;
        sabotage();
      }
    });
    sabotage();
    await until('all repairs are counted', async () => await proxy.counter('tcp_proxy_endpoints_repairs_total') === 6);
    await harness.published('10.0.0.1');
    expect(harness.api.writes().filter(({ verb }) => verb === 'update')).toHaveLength(6);
    expect(harness.warnings).toEqual([expect.objectContaining({ msg: expect.stringContaining('another writer keeps changing the endpoints') })]);
  });

  test('are made by the next proxy when the one whose turn it is does not', async () => {
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    const proxy = await harness.proxy('b', ['10.0.0.2']);
    await harness.published('10.0.0.1', '10.0.0.2');
    await harness.inSync(proxy);
    harness.api.store.delete('endpoints', 'kubernetes');
    await harness.published('10.0.0.1', '10.0.0.2');
  });

  test('of two proxies, one repairs', async () => {
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    const proxies = [await settledProxy(), await harness.proxy('b', ['10.0.0.2'])];
    await harness.inSync(proxies[1]);
    await until('both watch', () => harness.api.openWatches() === 8);
    harness.api.store.delete('endpointslices', 'kubernetes');
    await until('it is repaired', () => harness.slice() !== undefined);
    await Promise.all(proxies.map(async (proxy) => harness.inSync(proxy)));
    harness.pod({ name: 'c', hostIps: ['10.0.0.3'], ready: true });
    await harness.published('10.0.0.1', '10.0.0.2', '10.0.0.3');
    expect(harness.api.writes().filter(({ verb, resource }) => verb === 'create' && resource === 'endpointslices')).toHaveLength(2);
  });
});

describe('no needless write', () => {
  test('follows a pod event that changes nothing, a bookmark, a relist or a restart', async () => {
    await settledProxy();
    const written = harness.api.writes().length;
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
    harness.api.bookmark();
    harness.api.store.compact();
    harness.api.breakWatches();
    await watching();
    await harness.inSync(await harness.proxy('a', ['10.0.0.1']));
    expect(harness.api.writes()).toHaveLength(written);
    await nextPodIsPublished();
    expect(harness.api.writes()).toHaveLength(written + 2);
  });
});

describe('conflicts', () => {
  test.each([[409, 'Conflict'], [404, 'NotFound']])('a write that is answered %i is repeated and counted, not reported as an error', async (code, reason) => {
    harness.api.fail(isWrite, code, reason);
    const proxy = await settledProxy();
    expect(harness.addresses()).toEqual(['10.0.0.1']);
    expect(await proxy.counter('tcp_proxy_endpoints_conflicts_total')).toBe(1);
    expect(await proxy.counter('tcp_proxy_endpoints_errors_total')).toBe(0);
  });

  test('a version that nobody saw is not overwritten', async () => {
    const proxy = await settledProxy();
    await proxy.controller.stop();
    const stale = harness.slice()!;
    harness.api.store.put('endpointslices', { ...stale, endpoints: [] });
    expect(() => harness.api.store.update('endpointslices', stale)).toThrow('has been modified');
    const updates = harness.api.writes().filter(({ verb }) => verb === 'update');
    expect(updates.every(({ body }) => body.metadata.resourceVersion)).toBe(true);
  });
});

describe('watches', () => {
  test.each([
    ['ended by the API server', () => harness.api.endWatches()],
    ['cut by the network', () => harness.api.breakWatches()],
  ])('that are %s go on where they stopped, without listing again', async (_, interrupt) => {
    await settledProxy();
    interrupt();
    await nextPodIsPublished();
    expect(listsOf('pods')).toHaveLength(1);
  });

  test('miss nothing that happens while they are interrupted', async () => {
    await settledProxy();
    harness.api.breakWatches();
    harness.api.store.delete('endpointslices', 'kubernetes');
    await harness.published('10.0.0.1');
  });

  test('go on from the last bookmark, so that a quiet collection need not be listed again', async () => {
    await settledProxy();
    // Versions grow by changes of others, as in a busy cluster.
    for (let i = 0; i < 10; i++) harness.api.store.put('configmaps', { metadata: { name: 'other' } });
    harness.api.bookmark();
    harness.api.store.compact();
    harness.api.store.put('configmaps', { metadata: { name: 'other' } });
    harness.api.endWatches();
    await nextPodIsPublished();
    expect(listsOf('pods')).toHaveLength(1);
  });

  test('that are too old (410) begin with a new list, and see what was deleted meanwhile', async () => {
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    await settledProxy();
    await harness.api.stop();
    harness.api.store.delete('pods', 'b');
    harness.api.store.compact();
    await harness.api.start();
    await harness.published('10.0.0.1');
    expect(listsOf('pods').length).toBeGreaterThanOrEqual(2);
  });

  test('that are refused with status 410 begin with a new list', async () => {
    await settledProxy();
    harness.api.fail(({ verb, resource }) => verb === 'watch' && resource === 'pods', 410, 'Expired');
    harness.api.breakWatches();
    await nextPodIsPublished();
    expect(listsOf('pods')).toHaveLength(2);
  });

  test('of pods that are interrupted keep the proxy from undoing what others write meanwhile', async () => {
    const { controller } = await settledProxy();
    let interrupted = true;
    harness.api.fail(({ verb, resource }) => interrupted && verb === 'watch' && resource === 'pods', 500, 'InternalError', Infinity);
    harness.api.breakWatches();
    await until('the watch of the pods is refused', () => controller.status().detail.includes('pods: injected 500'));
    const written = harness.api.writes().length;
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    const [slice, endpoints] = [harness.slice()!, harness.endpoints()!];
    harness.api.store.put('endpoints', { ...endpoints, subsets: [{ ...endpoints.subsets[0], addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }] });
    harness.api.store.put('endpointslices', { ...slice, endpoints: [slice.endpoints[0], { ...slice.endpoints[0], addresses: ['10.0.0.2'] }] });
    await until('the proxy has seen both writes', () => controller.status().detail.includes('2 object(s) of kubernetes differ'));
    interrupted = false;
    await until('it sees the pods again', () => controller.status().detail === 'in sync');
    expect(harness.api.writes()).toHaveLength(written);
  });

  test('send events of several bytes per character in any chunks', async () => {
    await settledProxy();
    const note = 'é€😀'.repeat(30_000);
    const slice = harness.slice()!;
    harness.api.store.put('endpointslices', { ...slice, metadata: { ...slice.metadata, annotations: { note } } });
    await nextPodIsPublished();
    harness.api.store.put('endpointslices', { ...harness.slice()!, endpoints: [] });
    await harness.published('10.0.0.1', '10.0.0.2');
    // The repair carries over the annotation as the watch delivered it.
    expect(harness.slice()?.metadata.annotations.note === note).toBe(true);
  });
});

describe('the API server', () => {
  test('may be down at boot and come later', async () => {
    await harness.api.stop();
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    await until('that is reported', () => /pods: connect ECONNREFUSED/.test(proxy.controller.status().detail));
    expect(proxy.controller.status().published).toBe(false);
    await harness.api.start();
    await harness.published('10.0.0.1');
    expect(await proxy.counter('tcp_proxy_endpoints_errors_total')).toBeGreaterThan(0);
  });

  test('may go away: what was published counts on, and the detail tells', async () => {
    const { controller } = await settledProxy();
    await harness.api.stop();
    await until('that is reported', () => /ECONNREFUSED/.test(controller.status().detail));
    expect(controller.status().published).toBe(true);
  });

  test('may answer 500 or with the page of a load balancer: the write is repeated and the error counted', async () => {
    harness.api.fail(isWrite, 500, 'InternalError', 2);
    const proxy = await settledProxy();
    expect(harness.addresses()).toEqual(['10.0.0.1']);
    expect(await proxy.counter('tcp_proxy_endpoints_errors_total')).toBe(2);
  });

  test('tells in the status what is not permitted', async () => {
    harness.api.fail(({ resource }) => resource === 'pods', 403, 'Forbidden', Infinity);
    const { controller } = await harness.proxy('a', ['10.0.0.1']);
    await until('that is reported', () => controller.status().detail.includes('pods: injected 403'));
  });

  test('may be gone when the proxy withdraws: that ends all the same when its time is over', async () => {
    const { controller } = await settledProxy();
    await nextPodIsPublished();
    await harness.api.stop();
    await controller.withdraw(500);
    expect(harness.addresses()).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  test('may be gone when the proxy withdraws, and for longer than a withdrawal takes: the address is withdrawn when it is back', async () => {
    const { controller } = await settledProxy();
    await nextPodIsPublished();
    await harness.api.stop();
    let ended = false;
    const withdrawal = controller.withdraw(LONG_MS).then(() => {
      ended = true;
    });
    const began = performance.now();
    await until('a withdrawal would have been over', () => ended || performance.now() - began > SHORT_WITHDRAWAL_MS + 500);
    expect(ended).toBe(false);
    expect(controller.status().detail).toMatch(/^withdrawing: .*ECONNREFUSED/);
    await harness.api.start();
    await harness.published('10.0.0.2');
    await withdrawal;
    expect(controller.status()).toEqual({ published: false, detail: 'withdrawn' });
  });

  test.each([
    ['that is not permitted any more, as when all of it is removed', async () => {
      const { controller } = await settledProxy();
      await nextPodIsPublished();
      harness.api.fail(isWrite, 403, 'Forbidden', Infinity);
      return controller;
    }],
    ['of a proxy that never published anything', async () => {
      harness.api.fail(() => true, 503, 'ServiceUnavailable', Infinity);
      const { controller } = await harness.proxy('a', ['10.0.0.1']);
      await until('that is reported', () => controller.status().detail.includes('injected 503'));
      return controller;
    }],
  ])('a withdrawal %s keeps nobody waiting', async (_, leavingProxy) => {
    const controller = await leavingProxy();
    await controller.withdraw(LONG_MS);
    expect(harness.warnings.map(({ msg }) => msg)).toContain('could not withdraw the own addresses in time');
  });
});

describe('credentials', () => {
  test('a rotated service account token is read again', async () => {
    await settledProxy();
    harness.api.tokens.clear();
    harness.api.tokens.add('token-2');
    harness.api.breakWatches();
    await until('the old token is refused', () => harness.api.audit.some(({ status }) => status === 401));
    writeFileSync(harness.tokenFile, 'token-2');
    await nextPodIsPublished();
    expect(harness.api.audit[harness.api.audit.length - 1].token).toBe('token-2');
  });

  test('an API server of another authority is not trusted, until the CA file holds that authority', async () => {
    const proxy = await settledProxy();
    const other = issueCertificate('localhost');
    await harness.api.stop();
    const before = harness.api.audit.length;
    await harness.api.start(other);
    await until('that is reported', () => /certificate|signature/.test(proxy.controller.status().detail));
    expect(harness.api.audit).toHaveLength(before);
    writeFileSync(harness.caFile, other.ca);
    await nextPodIsPublished();
  });

  test('an API server with a certificate for another name is not trusted', async () => {
    await harness.api.stop();
    const other = issueCertificate('other.example.com');
    writeFileSync(harness.caFile, other.ca);
    await harness.api.start(other);
    const { controller } = await harness.proxy('a', ['10.0.0.1']);
    await until('that is reported', () => controller.status().detail.includes('does not match certificate'));
    expect(harness.api.audit).toEqual([]);
  });

  test.each(['http://localhost:6443', 'localhost:6443', 'https://localhost/path'])('the address %s is refused', async (apiServer) => {
    await expect(harness.proxy('a', [], { apiServer })).rejects.toThrow('give the address of the API server as https://<host>[:<port>]');
  });
});

test('a stopped controller closes its connections and writes nothing more', async () => {
  const proxy = await settledProxy();
  await proxy.controller.stop();
  await until('the watches are closed', () => harness.api.openWatches() === 0);
  const requests = harness.api.audit.length;
  harness.api.store.delete('endpoints', 'kubernetes');
  expect(harness.api.audit).toHaveLength(requests);
});
