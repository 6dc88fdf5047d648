import { once } from 'events';
import { AddressInfo, createServer } from 'net';
import { freePortRange, roomBeside, startWithFreePorts } from '../../demo/ports';

describe('the ports of the demonstration', () => {
  test.each([
    ['of Linux', { first: 32_768, last: 60_999 }, { first: 10_000, last: 32_767 }],
    ['that begin low', { first: 10_500, last: 40_000 }, { first: 40_001, last: 65_535 }],
    ['of all numbers', { first: 1_024, last: 65_535 }, { first: 10_000, last: 65_535 }],
  ])('are not among those that the kernel gives away, %s', (_, ephemeral, room) => {
    expect(roomBeside(ephemeral, 8)).toEqual(room);
  });

  test('are in a row, and nobody listens on them', async () => {
    const servers = [createServer().listen(0, '127.0.0.1')];
    await once(servers[0], 'listening');
    const { port } = servers[0].address() as AddressInfo;
    // Of three places for two ports, the second of the one in the middle is taken.
    const among = { first: port - 3, last: port + 2 };
    const found = new Set<number>();
    for (let i = 0; i < 20; i++) {
      const [first, second] = await freePortRange(2, among).catch(() => [0, 1]);
      expect(second).toBe(first + 1);
      found.add(first);
    }
    servers[0].close();
    expect(found).not.toContain(port - 1);
  });

  test('are an error where none are free', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(freePortRange(1, { first: port, last: port })).rejects.toThrow(`no 1 free ports in a row from ${port} to ${port}`);
    server.close();
  });
});

describe('a start', () => {
  test.each([
    'listen EADDRINUSE: address already in use 127.0.0.1:12000',
    'haproxy ended: [ALERT] Binding [haproxy.cfg:9] for frontend tls: cannot bind socket (Address already in use) for [127.0.0.1:12000]',
    'failed to listen on 127.0.0.1:12000: listen tcp 127.0.0.1:12000: bind: address already in use',
  ])('is tried again where somebody took a port: %s', async message => {
    let attempts = 0;
    await expect(startWithFreePorts(async () => {
      if (++attempts < 3) throw new Error(message);
      return 'started';
    })).resolves.toBe('started');
  });

  test('is given up after three times', async () => {
    let attempts = 0;
    await expect(startWithFreePorts(async () => {
      attempts++;
      throw new Error('EADDRINUSE');
    })).rejects.toThrow('EADDRINUSE');
    expect(attempts).toBe(3);
  });

  test('is not tried again for another reason', async () => {
    let attempts = 0;
    await expect(startWithFreePorts(async () => {
      attempts++;
      throw new Error('no HAProxy');
    })).rejects.toThrow('no HAProxy');
    expect(attempts).toBe(1);
  });
});
