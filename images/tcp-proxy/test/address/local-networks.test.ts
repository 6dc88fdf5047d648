import { Agent, agentBundle } from '../support/agent';
import { eventually } from '../support/eventually';
import { describeInNamespace, Namespace } from '../support/namespace';

jest.setTimeout(30_000);

const NETWORK = '2001:db8:1::/64';

describeInNamespace('address: a network that is routed to the node', () => {
  let namespace: Namespace;
  let agents: Agent[];

  beforeAll(() => agentBundle());
  beforeEach(async () => {
    namespace = await Namespace.create();
    namespace.ip('link', 'set', 'lo', 'up');
    agents = [];
  });
  afterEach(async () => {
    for (const agent of agents) await agent.stop();
    namespace.remove();
  });

  function start(...args: string[]): Agent {
    const agent = new Agent({ args: ['address', ...args], ...namespace.inside });
    agents.push(agent);
    return agent;
  }

  const routeTo = (address: string) => namespace.ip('-6', 'route', 'get', address).trim();
  const addUplink = (...addresses: string[]) => {
    namespace.ip('link', 'add', 'uplink', 'type', 'dummy');
    addresses.forEach(address => namespace.ip('address', 'add', address, 'dev', 'uplink', 'nodad'));
    namespace.ip('link', 'set', 'uplink', 'up');
  };

  test('is the node\'s own as a whole, once, also when it runs twice, and no device holds an address of it', async () => {
    expect((await start('--local-network', NETWORK, '--once').exited).code).toBe(0);
    const again = start('--local-network', '2001:DB8:1:0::/64', '--once');
    expect(await again.logged('addresses are in place')).toMatchObject({ added: [] });

    for (const address of ['2001:db8:1::1', '2001:db8:1:0:ffff:ffff:ffff:fffe']) expect(routeTo(address)).toMatch(/^local .* dev lo /);
    expect(() => routeTo('2001:db8:2::1')).toThrow();
    expect(JSON.parse(namespace.ip('-6', '-json', 'route', 'show', 'table', 'local', 'exact', NETWORK))).toHaveLength(1);
    expect(namespace.addresses('lo')).toEqual(['127.0.0.1/8 host', '::1/128 host']);
  });

  test('is made local again after something removed the route, and stays at the end', async () => {
    const agent = start('--local-network', NETWORK, '--interval', '100ms');
    await agent.logged('addresses are in place');
    namespace.ip('-6', 'route', 'del', 'local', NETWORK, 'dev', 'lo');
    await eventually(() => expect(routeTo('2001:db8:1::1')).toMatch(/^local /));
    await agent.logged('added again');
    agent.kill('SIGTERM');
    expect((await agent.exited).code).toBe(0);
    expect(routeTo('2001:db8:1::1')).toMatch(/^local /);
  });

  test('may be a part of the network of a device, and must have no address of it', async () => {
    addUplink('2001:db8:1::10/64');
    const refused = start('--local-network', NETWORK, '--once');
    expect((await refused.exited).code).toBe(1);
    expect(refused.stderr).toContain('the network 2001:db8:1::/64 is that of device uplink, whose neighbours would be cut off');
    expect(routeTo('2001:db8:1::11')).not.toMatch(/^local /);

    expect((await start('--local-network', '2001:db8:1:0:8000::/65', '--once').exited).code).toBe(0);
    expect(routeTo('2001:db8:1:0:8000::1')).toMatch(/^local /);
    expect(routeTo('2001:db8:1::11')).not.toMatch(/^local /);
  });

  test('may come with advertise addresses, and one of the two must be there', async () => {
    expect((await start('--local-network', NETWORK, '--advertise-address', '172.20.0.1', '--once').exited).code).toBe(0);
    expect(namespace.addresses('tcp-proxy0')).toEqual(['172.20.0.1/32 host']);
    const neither = start('--once');
    expect((await neither.exited).code).not.toBe(0);
    expect(neither.stderr).toContain('give at least one address, or a --local-network');
    const noNetwork = start('--local-network', '2001:db8:1::', '--once');
    expect((await noNetwork.exited).code).not.toBe(0);
    expect(noNetwork.stderr).toContain('is not an IPv6 network');
  });
});
