import { readFileSync } from 'fs';
import { createServer } from 'net';

/** Ports from the first to the last. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Where Linux says it gives ports to whoever asks for none; elsewhere what Linux, macOS and Windows have by default. */
const EPHEMERAL_FILE = '/proc/sys/net/ipv4/ip_local_port_range';
const USUAL_EPHEMERAL: PortRange = { first: 32_768, last: 65_535 };
/** Below are ports of well-known services. */
const LOWEST = 10_000;
const HIGHEST = 65_535;
const ATTEMPTS = 3;

/**
 * So many ports in a row on which nobody listens. They are not among those that the kernel gives away: one of those may be taken between the moment
 * it is found free and the moment a program listens on it.
 */
export async function freePortRange(count: number, among = roomBeside(ephemeralPorts(), count)): Promise<number[]> {
  const starts = Math.floor((among.last - among.first + 1) / count);
  const from = Math.floor(Math.random() * starts);
  for (let i = 0; i < starts; i++) {
    const first = among.first + (from + i) % starts * count;
    const ports = Array.from({ length: count }, (_, j) => first + j);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports;
  }
  throw new Error(`no ${count} free ports in a row from ${among.first} to ${among.last}`);
}

/** The larger part beside the ports that the kernel gives away; all ports where it gives all away. */
export function roomBeside(ephemeral: PortRange, count: number): PortRange {
  const rooms = [{ first: LOWEST, last: ephemeral.first - 1 }, { first: Math.max(LOWEST, ephemeral.last + 1), last: HIGHEST }];
  const size = ({ first, last }: PortRange) => last - first + 1;
  const [largest] = rooms.sort((a, b) => size(b) - size(a));
  return size(largest) >= count ? largest : { first: LOWEST, last: HIGHEST };
}

function ephemeralPorts(): PortRange {
  try {
    const [first, last] = readFileSync(EPHEMERAL_FILE, 'utf8').trim().split(/\s+/).map(Number);
    return { first, last };
  } catch {
    return USUAL_EPHEMERAL;
  }
}

/**
 * Starts something that takes ports, again with others where somebody else was faster.
 *
 * @param start stops by itself what it started, where it fails
 */
export async function startWithFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTaken(error as Error)) throw error;
    }
  }
}

/** As Node.js, HAProxy and kube-apiserver say it. */
function isTaken({ message }: Error): boolean {
  return /EADDRINUSE|address already in use/i.test(message);
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
