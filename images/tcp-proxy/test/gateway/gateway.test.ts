import { GatewayInstallation, routeLine, serviceName } from './gateway-installation';
import { stopParts } from '../../../../test/data-path/support/parts';
import { TenantServer } from '../../../../test/data-path/support/tenant-server';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';

jest.setTimeout(90_000);

let gateway: GatewayInstallation;

beforeEach(async () => {
  gateway = await GatewayInstallation.create();
});
afterEach(async () => {
  await gateway.remove();
  await stopParts();
});

async function metric(agent: Agent, name: string): Promise<number> {
  const { body } = await agent.http('/metrics');
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(body)?.[1]);
}

/** How long what does not answer is not asked for again. */
const SAME_QUESTION_MS = 5_000;
/** How often a question is sent where a busy server is slow to answer. */
const TRIES = 2;

const served = (clusterId: string) => eventually(async () => expect(await gateway.answer(clusterId)).toBe(clusterId));
const rejected = (clusterId: string) => eventually(async () => expect(await gateway.answer(clusterId)).toBe(''));

describeWithHaproxy('gateway: tenants', () => {
  test('that are mounted at the start are served as soon as it is ready', async () => {
    gateway.mountTenants([await gateway.tenant('one'), await gateway.tenant('two')]);
    const parts = await gateway.start().readyz(200);
    expect(Object.keys(parts)).toEqual(['haproxy', 'configuration', 'routes', 'addresses']);
    expect([await gateway.answer('one'), await gateway.answer('two'), await gateway.answer('three')]).toEqual(['one', 'two', '']);
  });

  test('come, change and go without a reload, and open connections of others go on', async () => {
    const [one, two, three] = [await gateway.tenant('one'), await gateway.tenant('two'), await gateway.tenant('three')];
    gateway.mountTenants([one, two]);
    const agent = gateway.start();
    await agent.readyz(200);
    const [worker] = await gateway.workers();
    const open = await gateway.connection('one');

    gateway.mountTenants([one, three], '00');
    await served('three');
    await rejected('two');
    gateway.mountTenants([one, { ...three, clusterId: 'moved', service: 'three' }]);
    await eventually(async () => expect(await gateway.answer('moved')).toBe('three'));
    await rejected('three');

    expect(open.ended).toBe(false);
    expect(await gateway.workers()).toEqual([worker]);
    expect(await metric(agent, 'tcp_proxy_gateway_cluster_ids')).toBe(2);
    expect(await metric(agent, 'tcp_proxy_gateway_map_updates_total{table="cluster-ids"}')).toBe(2);
    await eventually(() => expect(gateway.map('cluster-ids')).toBe(routeLine(one) + routeLine({ ...three, clusterId: 'moved', service: 'three' })));
  });

  test('come by the thousand in one new version of the map', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    const many = Array.from({ length: 3_000 }, (_, i) => ({ clusterId: `id-${i}`, port: one.port, service: 'one' }));
    gateway.mountTenants([one, ...many]);
    await eventually(async () => expect(await gateway.answer('id-2999')).toBe('one'));
    expect(await gateway.answer('id-0')).toBe('one');
    gateway.mountTenants([one]);
    await rejected('id-2999');
    expect(await gateway.answer('one')).toBe('one');
    expect((await gateway.workers()).length).toBe(1);
  });

  test('by SNI hosts and lists of sources are followed too', async () => {
    const one = await gateway.tenant('one');
    gateway.start();
    gateway.mountRoutes({ 'cluster-ids-00.map': `one ${serviceName('one')}:${one.port}:tenants/one\n` });
    await eventually(() => expect(gateway.map('cluster-ids')).toContain('tenants/one'));
    expect(await gateway.answer('one')).toBe('');
    gateway.mountRoutes({ 'allowed-00.map': '127.0.0.0/8@tenants/one 1\n' });
    await served('one');
    gateway.mountRoutes({ 'allowed-00.map': '' });
    await rejected('one');
  });

  test('that are removed keep their open connections', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    await gateway.start().readyz(200);
    const open = await gateway.connection('one');
    gateway.mountTenants([]);
    await rejected('one');
    expect(open.ended).toBe(false);
  });

  test('that are removed lose their open connections with --close-removed, and no one else does', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one, two]);
    const agent = gateway.start('--close-removed');
    await agent.readyz(200);
    const [openOne, openTwo] = [await gateway.connection('one'), await gateway.connection('two')];
    gateway.mountTenants([two]);
    await openOne.end();
    expect(openTwo.ended).toBe(false);
    expect(await agent.logged('closed connections of removed targets')).toMatchObject({ targets: 1, closed: 1 });
  });

  test('after a restart of HAProxy are those of the mounted files, whatever somebody did to it', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    gateway.mountTenants([one, two]);
    await served('two');
    gateway.leave('maps/cluster-ids.map', `bad ${serviceName('one')}:${one.port}\n`);
    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await served('one');
    await served('two');
    await rejected('bad');
  });

  test('of lines that are not valid, or of keys with two targets, are left out alone, and /readyz says so', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    const bad = ['noport svc.ns.svc', 'empty :6443', 'none None:6443', 'a b c', 'quote" x.y:1', 'port x.y:0', 'semi;colon x.y:1', 'address 127.0.0.1;x:1'];
    gateway.mountRoutes({
      'cluster-ids-00.map': `${routeLine(one)}${routeLine({ ...one, clusterId: 'twice', service: 'one' })}${bad.join('\n')}\n`,
      'cluster-ids-01.map': routeLine(two) + routeLine({ ...two, clusterId: 'twice', service: 'two' }),
      'allowed-00.map': '10.0.0.0/99x@a/b 1\nfoo 1\n',
    });
    const agent = gateway.start();
    const { routes } = await agent.readyz(200);
    expect(routes.detail).toContain('cluster-ids-00.map:3: "noport svc.ns.svc" is not a line of cluster-ids');
    expect(await metric(agent, 'tcp_proxy_gateway_refused_lines')).toBe(bad.length + 2 + 1);
    expect([await gateway.answer('one'), await gateway.answer('two'), await gateway.answer('twice'), await gateway.answer('none')]).toEqual(['one', 'two', '', '']);
  });
});

describeWithHaproxy('gateway: addresses', () => {
  test('that are known stay while DNS is down, for tenants that had no connection yet too', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    gateway.mountTenants([one, two]);
    const agent = gateway.start();
    await agent.readyz(200);
    gateway.dns.answering = false;
    await agent.readyz(200, 'DNS fails');
    expect([await gateway.answer('one'), await gateway.answer('two')]).toEqual(['one', 'two']);
    // Also when HAProxy, and when the agent, is started again meanwhile.
    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await served('one');
    await agent.stop();
    await gateway.start().readyz(200, 'DNS fails');
    await served('two');
  });

  test('of hundreds of services are asked for 250 times a second, however short the interval', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `tenant-${i}`);
    for (const name of names) gateway.dns.records.set(serviceName(name), ['127.0.0.1']);
    gateway.mountTenants(names.map(clusterId => ({ clusterId, port: 6443 })));
    await gateway.start().readyz(200, '500 of 500 services');
    const { queries } = gateway.dns;
    const began = performance.now();
    await eventually(() => expect(gateway.dns.queries - queries).toBeGreaterThan(1_000));
    expect(1_000 * 1_000 / (performance.now() - began)).toBeLessThan(350);
  });

  test('are followed when a service moves, and forgotten when it is gone', async () => {
    const one = await gateway.tenant('one');
    await TenantServer.start('moved', one.port, '127.0.0.2');
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    expect(await gateway.answer('one')).toBe('one');
    gateway.dns.records.set(serviceName('one'), ['127.0.0.2']);
    await eventually(async () => expect(await gateway.answer('one')).toBe('moved'));
    gateway.dns.records.delete(serviceName('one'));
    await rejected('one');
    expect(await metric(agent, 'tcp_proxy_gateway_services_unresolved')).toBe(1);
  });

  test('that do not answer are asked for at once, long before their time, and what is the same is not asked for again and again', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one, { clusterId: 'idle', port: one.port, service: 'one' }]);
    gateway.dns.records.set(serviceName('one'), ['127.0.0.9']);
    const agent = gateway.start('--resolve-interval', '3600s');
    await agent.readyz(200);
    const { queries } = gateway.dns;
    const began = performance.now();
    const expectFewQuestions = () => {
      const most = 1 + Math.floor((performance.now() - began) / SAME_QUESTION_MS);
      expect(gateway.dns.queries - queries).toBeLessThanOrEqual(TRIES * most);
    };
    await Promise.all(Array.from({ length: 50 }, async () => expect(await gateway.answer('one')).toBe('')));
    await eventually(() => expect(gateway.dns.queries).toBeGreaterThan(queries));
    expectFewQuestions();
    gateway.dns.records.set(serviceName('one'), ['127.0.0.1']);
    await eventually(async () => expect(await gateway.answer('one')).toBe('one'));
    await eventually(() => expect(gateway.map('addresses')).toBe(`${serviceName('one')} 127.0.0.1\n`));
    expect(gateway.dns.queries).toBeGreaterThanOrEqual(queries + 2);
    expectFewQuestions();
  });

  test('that do not answer stay where DNS says nothing else, or nothing', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    gateway.dns.records.set(serviceName('one'), ['127.0.0.9']);
    const agent = gateway.start('--resolve-interval', '3600s');
    await agent.readyz(200);
    gateway.dns.failing.add(serviceName('one'));
    const { queries } = gateway.dns;
    expect(await gateway.answer('one')).toBe('');
    await eventually(() => expect(gateway.dns.queries).toBeGreaterThan(queries));
    await eventually(() => expect(gateway.map('addresses')).toBe(`${serviceName('one')} 127.0.0.9\n`));
    expect(await metric(agent, 'tcp_proxy_gateway_services_failing')).toBe(0);
  });

  test('of several stay the same as long as they are valid', async () => {
    const one = await gateway.tenant('one');
    gateway.dns.records.set(serviceName('one'), ['127.0.0.1', '127.0.0.2']);
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    gateway.dns.records.set(serviceName('one'), ['127.0.0.2', '127.0.0.1', '127.0.0.0']);
    const before = gateway.dns.queries;
    await eventually(() => expect(gateway.dns.queries).toBeGreaterThan(before + 2));
    expect(gateway.map('addresses')).toBe(`${serviceName('one')} 127.0.0.1\n`);
  });

  test('may be IPv6 addresses', async () => {
    const { port } = await TenantServer.start('six', 0, '::1');
    gateway.dns.records.set(serviceName('six'), ['::1']);
    gateway.mountTenants([{ clusterId: 'six', port }]);
    const agent = gateway.start();
    await agent.readyz(200);
    expect(await gateway.answer('six')).toBe('six');
    await eventually(() => expect(gateway.map('addresses')).toBe(`${serviceName('six')} ::1\n`));
  });

  test('that DNS never told keep a new pod from being ready', async () => {
    gateway.mountTenants([await gateway.tenant('one')]);
    gateway.dns.answering = false;
    const agent = gateway.start();
    const parts = await agent.readyz(503, 'DNS fails');
    expect(parts.addresses).toMatchObject({ ok: false });
    gateway.dns.answering = true;
    await agent.readyz(200);
  });

  test('that DNS never tells of some services do not, after a deadline; the names are in /readyz, the log and the metrics', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one, ...['failing', 'silent'].map(clusterId => ({ clusterId, port: one.port }))]);
    gateway.dns.failing.add(serviceName('failing'));
    gateway.dns.silent.add(serviceName('silent'));
    const agent = gateway.start('--resolve-deadline', '3s');
    const early = await agent.readyz(503, '1 of 3 services have one');
    expect(early.addresses.ok).toBe(false);
    const { addresses } = await agent.readyz(200);
    expect(addresses.detail).toBe(`1 of 3 services have one; DNS fails for 2: ${serviceName('failing')} (ESERVFAIL), ${serviceName('silent')} (ETIMEOUT)`);
    expect(await gateway.answer('one')).toBe('one');
    expect(await metric(agent, 'tcp_proxy_gateway_services_failing')).toBe(2);
    expect(await agent.logged('DNS does not answer for services')).toMatchObject({ level: 'warn', count: 2 });
  });

  test('that DNS tells of nobody keep a new pod from being ready, however long', async () => {
    gateway.mountTenants([await gateway.tenant('one')]);
    gateway.dns.failing.add(serviceName('one'));
    const agent = gateway.start('--resolve-deadline', '0s');
    await agent.logged('DNS does not answer for services');
    await agent.readyz(503, `0 of 1 services have one; DNS fails for 1: ${serviceName('one')} (ESERVFAIL)`);
  });

  test('of services that do not exist yet do not', async () => {
    gateway.mountTenants([{ clusterId: 'soon', port: 1 }]);
    await gateway.start().readyz(200, '0 of 1 services have one');
  });
});

describeWithHaproxy('gateway: configuration', () => {
  test('that changed is reloaded; open connections go on with the old worker, which is counted', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    const [before] = await gateway.workers();
    const open = await gateway.connection('one');
    gateway.mountConfig(gateway.configText(7_200));
    await agent.logged('HAProxy reloaded');
    expect((await gateway.workers()).find(({ old }) => !old)!.pid).not.toBe(before.pid);
    expect(await gateway.answer('one')).toBe('one');
    expect(open.ended).toBe(false);
    expect(await metric(agent, 'tcp_proxy_gateway_old_workers')).toBe(1);
    expect(await metric(agent, 'tcp_proxy_gateway_configurations_total{result="applied"}')).toBe(1);

    // The new worker follows the maps.
    gateway.mountTenants([one, await gateway.tenant('two')]);
    await served('two');
    open.stop();
    await eventually(async () => expect(await metric(agent, 'tcp_proxy_gateway_old_workers')).toBe(0));
  });

  test('that HAProxy refuses is kept out, reported, and harms neither service nor restarts; a good one follows', async () => {
    const one = await gateway.tenant('one');
    gateway.mountTenants([one]);
    const agent = gateway.start();
    await agent.readyz(200);
    gateway.mountConfig('global\n  nonsense\n');
    const { configuration } = await agent.readyz(200, 'refused, the one before is in use');
    expect(configuration.detail).toContain('unknown keyword \'nonsense\'');
    expect(await metric(agent, 'tcp_proxy_gateway_configuration_refused')).toBe(1);
    expect(await metric(agent, 'tcp_proxy_gateway_configurations_total{result="refused"}')).toBe(1);
    gateway.mountTenants([one, await gateway.tenant('two')]);
    await served('two');

    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await served('one');
    await agent.stop();
    const next = gateway.start();
    await next.readyz(200, 'refused, the one before is in use');
    await served('one');

    gateway.mountConfig(gateway.configText(7_200));
    await next.logged('HAProxy reloaded');
    await next.readyz(200, 'as mounted');
    expect(await metric(next, 'tcp_proxy_gateway_configuration_refused')).toBe(0);
  });

  test('that changes often causes few reloads, and the last one counts', async () => {
    const agent = gateway.start('--reload-interval', '1500ms');
    await agent.readyz(200);
    for (let seconds = 3_601; seconds <= 3_610; seconds++) {
      gateway.mountConfig(gateway.configText(seconds));
      await eventually(() => expect(agent.http('/healthz')).resolves.toMatchObject({ status: 200 }));
    }
    await eventually(async () => expect((await agent.http('/readyz')).status).toBe(200));
    await eventually(() => expect(gateway.live()).toBe(gateway.configText(3_610)));
    await eventually(async () => expect(await metric(agent, 'tcp_proxy_gateway_configurations_total{result="applied"}')).toBeLessThanOrEqual(4));
  });

  test('that is bad at the first start ends it with code 2 and the words of HAProxy', async () => {
    gateway.mountConfig('global\n  nonsense\n');
    const agent = gateway.start();
    expect(await agent.exited).toEqual({ code: 2, signal: null });
    expect(agent.stderr).toMatch(/^tcp-proxy: --haproxy-config ".*": HAProxy refuses it.*unknown keyword 'nonsense'.*\n$/);
  });

  test.each([
    [['--routes-dir', '/nowhere'], '--routes-dir "/nowhere": does not exist'],
    [['--nameserver', 'kube-dns'], '--nameserver "kube-dns": is not a DNS server'],
    [['--resolve-interval', 'often'], '--resolve-interval "often": is not a duration'],
  ])('%j is refused with code 2', async (flags, message) => {
    const agent = gateway.start(...flags);
    expect(await agent.exited).toEqual({ code: 2, signal: null });
    expect(agent.stderr).toContain(message);
  });
});

describeWithHaproxy('gateway after SIGTERM', () => {
  test('is unready, takes no new connections, lets open ones finish, and ends with code 0', async () => {
    gateway.mountTenants([await gateway.tenant('one')]);
    const agent = gateway.start('--propagation-delay', '1s');
    await agent.readyz(200);
    const open = await gateway.connection('one');
    agent.kill('SIGTERM');
    expect((await agent.readyz(503)).shutdown).toEqual({ ok: false, detail: 'draining' });
    expect(await gateway.answer('one')).toBe('one');
    await agent.logged('no longer listening');
    await rejected('one');
    expect(open.ended).toBe(false);
    open.socket.end();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test('cuts the connections that are open after the grace period', async () => {
    gateway.mountTenants([await gateway.tenant('one')]);
    const agent = gateway.start('--grace-period', '300ms');
    await agent.readyz(200);
    const open = await gateway.connection('one');
    agent.kill('SIGTERM');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    await open.end();
  });

  test('a new agent takes over from one that was killed, and open connections go on', async () => {
    gateway.mountTenants([await gateway.tenant('one')]);
    const killed = gateway.start();
    await killed.readyz(200);
    const open = await gateway.connection('one');
    await killed.stop();
    const agent = gateway.start();
    await agent.readyz(200);
    expect(await gateway.answer('one')).toBe('one');
    expect(open.ended).toBe(false);
  });
});
