import { Agent, agentBundle } from '../support/agent';
import { eventually } from '../support/eventually';
import { describeInNamespace, Namespace } from '../support/namespace';

jest.setTimeout(30_000);

describeInNamespace('address', () => {
  let namespace: Namespace;
  let agents: Agent[];

  beforeAll(() => agentBundle());
  beforeEach(async () => {
    namespace = await Namespace.create();
    agents = [];
  });
  afterEach(async () => {
    for (const agent of agents) await agent.stop();
    namespace.remove();
  });

  function start(...args: string[]): Agent {
    const agent = new Agent({ args: ['address', '--advertise-address', '172.20.0.1,FD00:0::1', ...args], ...namespace.inside });
    agents.push(agent);
    return agent;
  }

  test('puts each address once on a dummy device that is up, also when it runs twice, and none on lo', async () => {
    expect((await start('--once').exited).code).toBe(0);
    expect((await start('--once').exited).code).toBe(0);

    expect(namespace.addresses('tcp-proxy0')).toEqual(['172.20.0.1/32 host', 'fd00::1/128 global']);
    expect(namespace.addresses('lo')).toEqual([]);
    const [link] = JSON.parse(namespace.ip('-json', '-details', 'link', 'show', 'tcp-proxy0'));
    expect(link.linkinfo.info_kind).toBe('dummy');
    expect(link.flags).toContain('UP');
  });

  test('the kernel does not choose the addresses as source of other traffic', async () => {
    await start('--once').exited;
    namespace.ip('link', 'add', 'uplink', 'type', 'dummy');
    namespace.ip('address', 'add', '192.0.2.10/24', 'dev', 'uplink');
    namespace.ip('address', 'add', '2001:db8::10/64', 'dev', 'uplink', 'nodad');
    namespace.ip('link', 'set', 'uplink', 'up');
    namespace.ip('-6', 'route', 'add', 'default', 'dev', 'tcp-proxy0');
    namespace.ip('route', 'add', 'default', 'dev', 'tcp-proxy0');

    expect(namespace.ip('route', 'get', '198.51.100.1')).toContain('src 192.0.2.10');
    expect(namespace.ip('route', 'get', '2001:db8:1::1')).toContain('src 2001:db8::10');
  });

  test('adds an address, and the device, again after something removed it', async () => {
    const agent = start('--interval', '100ms');
    await agent.logged('addresses are in place');

    namespace.ip('address', 'del', '172.20.0.1/32', 'dev', 'tcp-proxy0');
    await eventually(() => expect(namespace.addresses('tcp-proxy0')).toContain('172.20.0.1/32 host'));
    namespace.ip('link', 'del', 'tcp-proxy0');
    await eventually(() => expect(namespace.addresses('tcp-proxy0')).toEqual(['172.20.0.1/32 host', 'fd00::1/128 global']));
    namespace.ip('link', 'set', 'tcp-proxy0', 'down');
    await eventually(() => expect(namespace.ip('link', 'show', 'tcp-proxy0')).toContain(',UP'));
    await agent.logged('added again');

    agent.kill('SIGTERM');
    expect((await agent.exited).code).toBe(0);
    expect(namespace.addresses('tcp-proxy0')).toContain('172.20.0.1/32 host');
  });

  test('warns about an address that lo has too', async () => {
    namespace.ip('address', 'add', '172.20.0.1/32', 'dev', 'lo');
    const agent = start('--once');
    await agent.exited;
    expect(await agent.logged('another device holds')).toMatchObject({ level: 'warn', device: 'lo' });
  });

  test('leaves a device of another kind alone', async () => {
    namespace.ip('link', 'add', 'tcp-proxy0', 'type', 'veth', 'peer', 'name', 'other');
    const agent = start('--once');
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderr).toBe('tcp-proxy: device tcp-proxy0 exists and is no dummy device, choose another name with --device\n');
    expect(namespace.addresses('tcp-proxy0')).toEqual([]);
  });
});
