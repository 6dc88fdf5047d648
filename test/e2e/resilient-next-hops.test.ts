import { connect, Socket } from 'net';
import { EdgeNetwork, holdAddress, makeEdgeNetwork, removeEdgeNetwork, SHARED_ADDRESS } from './support/edge-network';
import { eventually } from '../data-path/support/eventually';
import { keep, stopParts } from '../data-path/support/parts';

/*
 * A router that spreads connections over two edges, as docs/ha-address.md has it, with next hops that are plain and resilient. What is behind the address
 * is a server that says its name whenever it is spoken to: who answers is all that matters here.
 */

jest.setTimeout(120_000);

const PORT = 8443;
const CONNECTIONS = 200;
/** Buckets of the group: more than connections, so that some are idle. */
const BUCKETS = 512;
const IDLE_SECONDS = 2;
const SERVER = `require('net').createServer(s => s.on('data', () => s.write(process.argv[1])).on('error', () => 0)).listen(${PORT}, '0.0.0.0')`;

let network: EdgeNetwork;
let clients: Client[] = [];

/** A connection that speaks again and again. */
class Client {
  public static async open(): Promise<Client> {
    const client = new Client(connect({ host: SHARED_ADDRESS, port: PORT }));
    client.socket.on('data', data => client.answers.push(String(data))).on('error', () => undefined).on('close', () => (client.ended = true));
    await eventually(() => client.answers.length > 0 || client.ended, 10_000);
    return client;
  }

  public readonly answers: string[] = [];
  public ended = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly socket: Socket) {
    this.timer = setInterval(() => this.socket.write('?'), 100);
    this.socket.write('?');
    keep(this);
  }

  /** Whether it has been answered once more, or has ended. */
  public async settled(): Promise<boolean> {
    const { length } = this.answers;
    return eventually(() => this.ended || this.answers.length > length + 2, 30_000);
  }

  public stop(): void {
    clearInterval(this.timer);
    this.socket.destroy();
  }
}

beforeEach(async () => {
  network = makeEdgeNetwork();
  holdAddress(network);
  network.edges.forEach((edge, i) => edge.start(process.execPath, '-e', SERVER, `edge-${i + 1}`));
  await eventually(() => network.edges.every(edge => edge.run(`ss -Hltn sport = :${PORT} || true`) !== ''), 20_000);
  clients = [];
});

afterEach(async () => {
  await stopParts();
  removeEdgeNetwork();
});

const NEXT_HOPS = {
  plain: (edges: number[]) => [`ip route replace ${SHARED_ADDRESS}/32 ${edges.map(edge => `nexthop via 192.0.2.1${edge} dev lan`).join(' ')}`],
  resilient: (edges: number[]) => [
    // Two of each: with a single one in the group, the kernel does not note which buckets are in use, and gives all of them away.
    ...[1, 2].flatMap(edge => [1, 2].map(which => `ip nexthop replace id ${edge}${which} via 192.0.2.1${edge} dev lan`)),
    `ip nexthop replace id 10 group ${edges.flatMap(edge => [`${edge}1`, `${edge}2`]).join('/')} type resilient buckets ${BUCKETS} idle_timer ${IDLE_SECONDS} unbalanced_timer 0`,
    `ip route replace ${SHARED_ADDRESS}/32 nhid 10`,
  ],
};

/** One edge alone has all connections; then the other one comes back. @returns how many ended */
async function endedByReturn(kind: keyof typeof NEXT_HOPS): Promise<number> {
  network.router.run(...NEXT_HOPS[kind]([1]));
  while (clients.length < CONNECTIONS) clients.push(...await Promise.all(Array.from({ length: 20 }, () => Client.open())));
  expect(clients.filter(({ answers }) => !answers.join('').startsWith('edge-1'))).toEqual([]);
  network.router.run(...NEXT_HOPS[kind]([1, 2]));
  await Promise.all(clients.map(client => client.settled()));
  return clients.filter(({ ended }) => ended).length;
}

test('plain next hops lead a share of the connections to an edge that comes back, where they end', async () => {
  expect(await endedByReturn('plain')).toBeGreaterThan(0);
});

test('resilient next hops leave every connection where it is when an edge comes back, and lead new ones to it', async () => {
  expect(await endedByReturn('resilient')).toBe(0);
  // Buckets that nobody uses change over once they have been idle.
  await eventually(async () => {
    const fresh = await Client.open();
    fresh.stop();
    return fresh.answers.join('').startsWith('edge-2');
  }, 60_000);
  expect(clients.filter(({ ended }) => ended)).toEqual([]);
});
