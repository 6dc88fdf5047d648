import { GatewayInstallation, serviceName } from './gateway-installation';
import { stopParts } from '../../../../test/data-path/support/parts';
import { exchange, RawConnection, TLS_START } from '../../../../test/data-path/support/tenant-server';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { freePorts } from '../../../../test/support/ports';
import { eventually } from '../support/eventually';

jest.setTimeout(90_000);

let gateway: GatewayInstallation;
let port: number;

beforeEach(async () => {
  [port] = await freePorts(1);
  gateway = await GatewayInstallation.create(0, { addressPort: port });
});
afterEach(async () => {
  await gateway.remove();
  await stopParts();
});

/** The one address of this machine's own that a test need not add. */
const ADDRESS = '::1';
const leads = (to: string) => eventually(async () => expect(await exchange(port, TLS_START, ADDRESS)).toBe(to));

/** Mounts a tenant at the address, as the only one. */
function mount(route?: { clusterId: string; port: number }, address = ADDRESS): void {
  gateway.mountRoutes({ 'destinations-00.map': route ? `${address} ${serviceName(route.clusterId)}:${route.port}\n` : '' });
}

describeWithHaproxy('gateway: addresses of tenants', () => {
  test('come, change and go without a reload, and open connections go on', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    mount(one);
    const agent = gateway.start();
    await agent.readyz(200);
    const workers = await gateway.workers();
    const open = new RawConnection(port, [TLS_START], ADDRESS);
    expect(await open.answer()).toBe('one');

    mount(two);
    await leads('two');
    mount(two, '2001:db8::1');
    await leads('');
    mount(one);
    await leads('one');

    expect(open.ended).toBe(false);
    expect(await gateway.workers()).toEqual(workers);
    expect((await agent.http('/metrics')).body).toMatch(/^tcp_proxy_gateway_destinations 1$/m);
  });

  test('after a restart of HAProxy are those of the mounted files', async () => {
    mount(await gateway.tenant('one'));
    await gateway.start().readyz(200);
    process.kill((await gateway.workers())[0].pid, 'SIGKILL');
    await leads('one');
  });

  test('that two ConfigMaps lead to different tenants lead to none', async () => {
    const [one, two] = [await gateway.tenant('one'), await gateway.tenant('two')];
    mount(one);
    gateway.mountRoutes({ 'destinations-01.map': `${ADDRESS} ${serviceName('two')}:${two.port}\n` });
    const { routes } = await gateway.start().readyz(200);
    expect(routes.detail).toContain('destinations: ::1 has 2 different targets, so it leads to none');
    expect(await exchange(port, TLS_START, ADDRESS)).toBe('');
  });

  test('that are removed lose their open connections with --close-removed', async () => {
    mount(await gateway.tenant('one'));
    await gateway.start('--close-removed').readyz(200);
    const open = new RawConnection(port, [TLS_START], ADDRESS);
    expect(await open.answer()).toBe('one');
    mount();
    await open.end();
  });
});
