import { GatewayInstallation, serviceName } from './gateway-installation';
import { stopParts } from '../../../../test/data-path/support/parts';
import { exchange, RawConnection, TLS_START } from '../../../../test/data-path/support/tenant-server';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';

jest.setTimeout(90_000);

let gateway: GatewayInstallation;

beforeEach(async () => {
  gateway = await GatewayInstallation.create(8);
});
afterEach(async () => {
  await gateway.remove();
  await stopParts();
});

const port = (index: number) => gateway.portRange!.first + index;
const answer = (index: number) => exchange(port(index), TLS_START);
const leads = (index: number, to: string) => eventually(async () => expect(await answer(index)).toBe(to));

/** Mounts these tenants, each with its port, as the only ones. */
async function mount(tenants: { [index: number]: { clusterId: string; port: number } }): Promise<void> {
  gateway.mountRoutes({
    'ports-00.map': Object.entries(tenants).map(([index, { clusterId, port: target }]) => `${port(Number(index))} ${serviceName(clusterId)}:${target}\n`).join(''),
  });
}

async function metric(agent: Agent, name: string): Promise<number> {
  const { body } = await agent.http('/metrics');
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(body)?.[1]);
}

describeWithHaproxy('gateway: ports', () => {
  test('that are mounted at the start are served as soon as it is ready, and no others', async () => {
    await mount({ 0: await gateway.tenant('one'), 1: await gateway.tenant('two') });
    await gateway.start().readyz(200);
    expect([await answer(0), await answer(1), await answer(2)]).toEqual(['one', 'two', '']);
  });

  test('come, change and go without a reload, and open connections go on', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    await mount({ 0: one });
    const agent = gateway.start();
    await agent.readyz(200);
    const workers = await gateway.workers();
    const open = new RawConnection(port(0), [TLS_START]);
    expect(await open.answer()).toBe('one');

    await mount({ 0: one, 5: two });
    await leads(5, 'two');
    await mount({ 0: two, 5: one });
    await leads(5, 'one');
    await leads(0, 'two');
    await mount({ 0: two });
    await leads(5, '');

    expect(open.ended).toBe(false);
    expect(await gateway.workers()).toEqual(workers);
    expect(await metric(agent, 'tcp_proxy_gateway_ports')).toBe(1);
    expect(await metric(agent, 'tcp_proxy_gateway_map_updates_total{table="ports"}')).toBe(3);
    // The file follows the map of the running process.
    await eventually(() => expect(gateway.map('ports')).toBe(`${port(0)} ${serviceName('two')}:${two.port}\n`));
  });

  test('that are removed lose their open connections with --close-removed', async () => {
    await mount({ 0: await gateway.tenant('one') });
    await gateway.start('--close-removed').readyz(200);
    const open = new RawConnection(port(0), [TLS_START]);
    expect(await open.answer()).toBe('one');
    await mount({});
    await open.end();
  });

  test('after a restart of HAProxy are those of the mounted files', async () => {
    await mount({ 0: await gateway.tenant('one') });
    await gateway.start().readyz(200);
    await mount({ 0: { clusterId: 'one', port: 1 }, 3: await gateway.tenant('three') });
    await leads(3, 'three');
    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await leads(3, 'three');
  });

  test('that have two targets or are none are left out alone', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    await mount({ 0: one, 1: one });
    gateway.mountRoutes({ 'ports-01.map': `${port(1)} ${serviceName('two')}:${two.port}\n0 ${serviceName('two')}:1\nport ${serviceName('two')}:1\n` });
    const agent = gateway.start();
    const { routes } = await agent.readyz(200);
    expect(routes.detail).toContain(`ports: ${port(1)} has 2 different targets, so it leads to none`);
    expect([await answer(0), await answer(1)]).toEqual(['one', '']);
    expect(await metric(agent, 'tcp_proxy_gateway_refused_lines')).toBe(3);
  });

  test('and hosts are followed by a configuration that has no map for cluster IDs', async () => {
    await mount({ 0: await gateway.tenant('one') });
    const agent = gateway.start();
    await agent.readyz(200);
    await mount({ 1: { clusterId: 'one', port: Number(gateway.map('ports').trim().split(':').pop()) } });
    // The files are written after all maps of the running HAProxy are right.
    await eventually(() => expect(gateway.map('ports')).toMatch(new RegExp(`^${port(1)} `)));
    expect(agent.output).not.toContain('not brought up to date');
  });
});
