import { Harness, until } from './harness';

let harness: Harness;

beforeEach(async () => {
  harness = new Harness();
  await harness.api.start();
});

afterEach(async () => harness.close());

const describeWrites = () => harness.api.writes().map(({ verb, resource, body, name }) => `${verb} ${resource} ${body?.metadata?.name ?? name}`);

describe('a proxy that becomes ready', () => {
  test('publishes nothing before', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'] });
    const { controller } = await harness.proxy('a', ['10.0.0.1']);
    await until('everything is listed', () => controller.status().detail === 'no proxy is ready yet');
    expect(controller.status().published).toBe(false);
    expect(harness.api.writes()).toEqual([]);
  });

  test('publishes its host address in Endpoints and in a slice, before its pod is ready', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'] });
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    proxy.controller.setLocalReady(true);
    await harness.inSync(proxy);
    expect(proxy.controller.status()).toEqual({ published: true, detail: 'in sync' });
    expect(describeWrites()).toEqual(['create endpoints kubernetes', 'create endpointslices kubernetes']);
    expect(harness.slice()).toMatchObject({
      addressType: 'IPv4',
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false } }],
    });
    expect(harness.endpoints()).toMatchObject({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] }] });
  });

  test('forbids mirroring in the first write already', async () => {
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    proxy.controller.setLocalReady(true);
    await harness.inSync(proxy);
    expect(harness.api.writes()[0].body.metadata.labels).toEqual({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
  });

  test('reaches the API server by name, and only with the calls that its Roles allow', async () => {
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    proxy.controller.setLocalReady(true);
    await harness.inSync(proxy);
    expect(new Set(harness.api.audit.map(({ serverName }) => serverName))).toEqual(new Set(['localhost']));
    expect(harness.api.audit.filter(({ status }) => status === 403)).toEqual([]);
  });
});

describe('address families', () => {
  const publishFrom = async (serviceFamilies: string[], hostIps: string[]) => {
    harness.service(serviceFamilies);
    harness.pod({ name: 'a', hostIps, ready: true });
    await harness.inSync(await harness.proxy('a', hostIps));
  };

  test('IPv6 only: one slice, with the name that everyone reads', async () => {
    await publishFrom(['IPv6'], ['fd00::1']);
    expect(harness.slice()).toMatchObject({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] });
    expect(harness.sliceNames()).toEqual(['kubernetes']);
    expect(harness.addresses()).toEqual(['fd00::1']);
  });

  test('dual-stack: a slice for each family, the Service\'s own first', async () => {
    await publishFrom(['IPv6', 'IPv4'], ['10.0.0.1', 'fd00::1']);
    expect(harness.slice()).toMatchObject({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] });
    expect(harness.slice('kubernetes-v4')).toMatchObject({ addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] });
    expect(harness.addresses()).toEqual(['fd00::1']);
  });

  test('the slice of a family that disappears is removed', async () => {
    await publishFrom(['IPv4', 'IPv6'], ['10.0.0.1', 'fd00::1']);
    expect(harness.sliceNames()).toEqual(['kubernetes', 'kubernetes-v6']);
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
    await until('one slice is left', () => harness.sliceNames().join() === 'kubernetes');
  });

  test('a slice of the wrong family is replaced', async () => {
    harness.api.store.put('endpointslices', {
      metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } }, addressType: 'IPv6', endpoints: [],
    });
    await publishFrom(['IPv4'], ['10.0.0.1']);
    expect(harness.slice()).toMatchObject({ addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] });
  });
});

describe('what was there before', () => {
  const serving = { 'kubernetes.io/service-name': 'kubernetes' };

  beforeEach(() => harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true }));

  test('the objects of the API server\'s own reconciler are taken over', async () => {
    const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
    harness.api.store.put('endpoints', { metadata: { name: 'kubernetes' }, subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports }] });
    harness.api.store.put('endpointslices', {
      metadata: { name: 'kubernetes', labels: serving }, addressType: 'IPv4', ports, endpoints: [{ addresses: ['10.9.9.9'], conditions: { ready: true } }],
    });
    await harness.proxy('a', ['10.0.0.1']);
    await harness.published('10.0.0.1');
    expect(describeWrites()).toEqual(['update endpoints kubernetes', 'update endpointslices kubernetes']);
    expect(harness.slice()?.metadata.labels['endpointslice.kubernetes.io/managed-by']).toBe('tcp-proxy.cdk8s-hosted-control-plane');
  });

  test('a foreign slice that claims the Service is removed, now and later; a slice of another Service is not', async () => {
    const foreign = (name: string, labels: object) => harness.api.store.put('endpointslices', { metadata: { name, labels }, addressType: 'IPv4', endpoints: [] });
    foreign('kubernetes-x7k2p', serving);
    foreign('web-abcde', { 'kubernetes.io/service-name': 'web' });
    await harness.inSync(await harness.proxy('a', ['10.0.0.1']));
    expect(harness.sliceNames()).toEqual(['kubernetes', 'web-abcde']);
    foreign('kubernetes-mirror', serving);
    const { uid, resourceVersion } = harness.slice('kubernetes-mirror')!.metadata;
    await until('it is removed', () => harness.sliceNames().join() === 'kubernetes,web-abcde');
    // Another slice that takes the name in between is not the one that was judged.
    expect(harness.api.writes().filter(({ verb }) => verb === 'delete').pop()?.body).toEqual({ preconditions: { uid, resourceVersion } });
  });

  test('a slice with our name that lost its label, and so is not watched, is replaced', async () => {
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    await harness.inSync(proxy);
    harness.api.store.put('endpointslices', { ...harness.slice()!, metadata: { name: 'kubernetes' } });
    await until('it serves again', () => harness.slice()?.metadata.labels?.['kubernetes.io/service-name'] === 'kubernetes');
    await harness.published('10.0.0.1');
  });
});

describe('several proxies', () => {
  const [a, b] = [{ name: 'a', hostIps: ['10.0.0.1'] }, { name: 'b', hostIps: ['10.0.0.2'] }];

  test('that start at once do not fight: both accept what is published first, and both are published when ready', async () => {
    harness.pod(a);
    harness.pod(b);
    const proxies = await Promise.all([harness.proxy('a', a.hostIps), harness.proxy('b', b.hostIps)]);
    proxies.forEach(({ controller }) => controller.setLocalReady(true));
    await Promise.all(proxies.map(async (proxy) => harness.inSync(proxy)));
    expect(proxies.map(({ controller }) => controller.status().published)).toEqual([true, true]);
    expect(harness.addresses()).toBeDefined();

    harness.pod({ ...a, ready: true });
    harness.pod({ ...b, ready: true });
    await harness.published('10.0.0.1', '10.0.0.2');
    await Promise.all(proxies.map(async (proxy) => harness.inSync(proxy)));
    // Two to create, up to twice two to update; more only if the machine was slow.
    expect(harness.api.writes().length).toBeLessThanOrEqual(10);
  });

  test('list every ready pod, sorted, whatever the order of their appearance', async () => {
    const names = ['d', 'b', 'e', 'a', 'c'];
    names.forEach((name) => harness.pod({ name, hostIps: [`10.0.0.${name.charCodeAt(0)}`], ready: true }));
    await harness.proxy('a', ['10.0.0.97']);
    await harness.published('10.0.0.100', '10.0.0.101', '10.0.0.97', '10.0.0.98', '10.0.0.99');
  });

  test('follow pods that become ready, unready and terminating', async () => {
    harness.pod({ ...a, ready: true });
    harness.pod(b);
    await harness.proxy('a', a.hostIps);
    await harness.published('10.0.0.1');
    harness.pod({ ...b, ready: true });
    await harness.published('10.0.0.1', '10.0.0.2');
    harness.pod({ ...b, ready: false });
    await harness.published('10.0.0.1');
    harness.pod({ ...b, ready: true });
    await harness.published('10.0.0.1', '10.0.0.2');
    harness.pod({ ...b, ready: true, terminating: true });
    await harness.published('10.0.0.1');
  });

  test('keep their addresses when all pods become unready, as after the loss of all kubelets', async () => {
    harness.pod({ ...a, ready: true });
    harness.pod({ ...b, ready: true });
    const proxy = await harness.proxy('a', a.hostIps);
    await harness.published('10.0.0.1', '10.0.0.2');
    harness.pod({ ...b });
    await harness.published('10.0.0.1');
    harness.pod({ ...a });
    // A later pod shows that the change before it was seen.
    harness.pod({ name: 'c', hostIps: ['10.0.0.3'], ready: true });
    await harness.published('10.0.0.3');
    expect(harness.api.writes().every(({ body }) => body.subsets?.[0].addresses.length ?? body.endpoints.length)).toBeTruthy();
    expect(await proxy.counter('tcp_proxy_endpoints_repairs_total')).toBe(0);
  });

  test('are listed in pages', async () => {
    for (let i = 0; i < 250; i++) harness.pod({ name: `p-${String(i).padStart(3, '0')}`, hostIps: [`10.1.${i}.1`], ready: true });
    await harness.proxy('p-000', ['10.1.0.1']);
    await until('all are published', () => harness.addresses()?.length === 250);
    expect(harness.api.audit.filter(({ verb, resource }) => verb === 'list' && resource === 'pods')).toHaveLength(3);
  });
});

describe('a proxy that withdraws', () => {
  test('takes out its own address and leaves the rest to the others', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    await harness.inSync(proxy);
    await proxy.controller.withdraw(5_000);
    expect(harness.addresses()).toEqual(['10.0.0.2']);
    expect(proxy.controller.status()).toEqual({ published: false, detail: 'withdrawn' });
  });

  test('does not write any more, even if another proxy puts the address back', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
    harness.pod({ name: 'b', hostIps: ['10.0.0.2'], ready: true });
    const leaving = await harness.proxy('a', ['10.0.0.1']);
    await harness.inSync(leaving);
    await leaving.controller.withdraw(5_000);
    const written = await leaving.counter('tcp_proxy_endpoints_writes_total');
    const staying = await harness.proxy('b', ['10.0.0.2']);
    await harness.published('10.0.0.1', '10.0.0.2');
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true, terminating: true });
    await harness.published('10.0.0.2');
    await harness.inSync(staying);
    expect(await leaving.counter('tcp_proxy_endpoints_writes_total')).toBe(written);
  });

  test('leaves the endpoints as they are when it is the last one', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'], ready: true });
    const proxy = await harness.proxy('a', ['10.0.0.1']);
    proxy.controller.setLocalReady(true);
    await harness.inSync(proxy);
    await proxy.controller.withdraw(5_000);
    expect(harness.addresses()).toEqual(['10.0.0.1']);
  });
});

describe('advertise addresses', () => {
  test('are published instead of host addresses, and stay when a proxy withdraws', async () => {
    harness.pod({ name: 'a', hostIps: ['10.0.0.1'] });
    const proxy = await harness.proxy('a', ['10.0.0.1'], { advertiseAddresses: ['172.20.0.1'] });
    proxy.controller.setLocalReady(true);
    await harness.published('172.20.0.1');
    await proxy.controller.withdraw(5_000);
    expect(harness.addresses()).toEqual(['172.20.0.1']);
  });

  test('that are loopback or link-local are refused with the reason and the remedy', async () => {
    for (const address of ['127.0.0.1', '169.254.1.1', '::1']) {
      await expect(harness.proxy('a', [], { advertiseAddresses: [address] })).rejects
        .toThrow(`advertiseAddresses: '${address}' is unspecified, loopback, link-local or multicast; give an address that every pod can reach`);
    }
  });
});
