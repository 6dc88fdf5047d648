import { createSocket } from 'dgram';
import { createServer } from 'net';

/**
 * Below the ports that the kernel gives to connections and to servers without a port of their own: one of those may be taken between
 * the moment it is found free and the moment a program listens on it.
 */
const [FIRST, LAST] = [12_000, 31_999];
/** Test files that run side by side look in parts of their own. */
const PARTS = 8;
const PART_SIZE = (LAST - FIRST + 1) / PARTS;

const first = FIRST + (Number(process.env.JEST_WORKER_ID ?? 1) - 1) % PARTS * PART_SIZE;
let next = Math.floor(Math.random() * PART_SIZE);

/** The first of so many ports in a row that nobody listens on, by TCP or UDP. No port is given twice before all have been. */
export async function freePortRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < PART_SIZE; attempt++) {
    if (next + count > PART_SIZE) next = 0;
    const ports = Array.from({ length: count }, (_, i) => first + next + i);
    next += count;
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports[0];
  }
  throw new Error(`no ${count} free ports in a row`);
}

/** Ports that nobody listens on, by TCP or UDP. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePortRange(1));
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const free = await Promise.all(['127.0.0.1', '::1'].flatMap(host => [tcpIsFree(port, host), udpIsFree(port, host)]));
  return free.every(Boolean);
}

function tcpIsFree(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => resolve(!isTaken(error))).listen(port, host, () => server.close(() => resolve(true)));
  });
}

function udpIsFree(port: number, address: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', error => resolve(!isTaken(error))).bind(port, address, () => socket.close(() => resolve(true)));
  });
}

/** A machine without IPv6 has another error for it. */
function isTaken(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
