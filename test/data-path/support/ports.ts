import { AddressInfo, createServer } from 'net';

/** Where test ports of a range are looked for: below those that connections get. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** The first of so many ports in a row that nobody listens on. */
export async function freePortRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST - count));
    const servers = await Promise.all(Array.from({ length: count }, (_, i) => listening(first + i)));
    await Promise.all(servers.map(server => server && new Promise(resolve => server.close(resolve))));
    if (servers.every(Boolean)) {
      return first;
    }
  }
  throw new Error(`no ${count} free ports in a row`);
}

function listening(port: number): Promise<ReturnType<typeof createServer> | undefined> {
  return new Promise(resolve => {
    const server = createServer();
    server.on('error', () => resolve(undefined)).listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Ports of 127.0.0.1 that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer();
    server.on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map(server => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}
