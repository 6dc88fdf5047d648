import { readFileSync } from 'fs';
import { IncomingMessage } from 'http';
import { Agent as HttpsAgent, request } from 'https';
import { Agent } from './support/agent';
import { Cluster } from './support/cluster';
import { EDGE_PORT, startEdgeGateway } from './support/edge-gateway';
import {
  EdgeNetwork, giveSecondChance, holdAddress, Machine, makeEdgeNetwork, OUTSIDE, removeEdgeNetwork, SHARED_ADDRESS, startBird, startKeepalived,
} from './support/edge-network';
import { Process } from './support/process';
import { Exposure } from '../../src';
import { Endpoint } from '../../src/model/endpoint';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { DnsServer } from '../data-path/support/dns-server';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

/*
 * Two edges with one address, in network namespaces: the shared gateway, kube-apiserver, keepalived and BIRD are real, and run with what docs/ha-address has.
 */

jest.setTimeout(240_000);

const WATCHES = Number(process.env.WATCHES ?? 500);
const HOST = 'tenant-01.k8s.example.com';
const MOVES_MS = 60_000;

interface Watch {
  readonly response: IncomingMessage;
  events: string;
  ended: boolean;
}

let cluster: Cluster;
let network: EdgeNetwork;
let gateways: Agent[];
let nameserver: Endpoint;
let watches: Watch[] = [];
let events = 0;

beforeEach(async () => {
  network = makeEdgeNetwork();
  cluster = await Cluster.start({ behindIngress: false, apiServerArgs: ['--bind-address=0.0.0.0'] });
  const dns = await DnsServer.start(OUTSIDE);
  dns.records.set('tenant-01.tenants.svc.cluster.local', [OUTSIDE]);
  nameserver = new Endpoint(OUTSIDE, dns.port);
  gateways = await Promise.all(network.edges.map(edge => startEdgeGateway(edge, tenant(), nameserver)));
}, 240_000);

afterEach(async () => {
  watches.forEach(({ response }) => response.destroy());
  watches = [];
  await stopParts();
  removeEdgeNetwork();
});

function tenant(): GatewayTenant[] {
  const exposure = new Exposure({
    name: 'tenant-01', namespace: 'tenants', hostname: HOST, backend: { serviceName: 'tenant-01', apiPort: cluster.port },
  });
  return [{ exposure, routes: exposure.routes }];
}

/** A request on a connection of its own. */
function ask(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: SHARED_ADDRESS,
      port: EDGE_PORT,
      servername: HOST,
      path,
      timeout: 2_000,
      ca: readFileSync(cluster.caFile),
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
      agent: new HttpsAgent({ keepAlive: false }),
    }, resolve).on('error', reject).on('timeout', () => sent.destroy(new Error('no answer'))).end();
  });
}

async function watch(): Promise<Watch> {
  const response = await ask('/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=3600');
  const opened: Watch = { response, events: '', ended: false };
  response.socket.setTimeout(0);
  // As pings of clients do: a connection that is not known any more is found out.
  response.socket.setKeepAlive(true, 1_000);
  response.setEncoding('utf8').on('data', text => opened.events += text).on('close', () => opened.ended = true).on('error', () => undefined);
  return opened;
}

async function openWatches(count = WATCHES): Promise<void> {
  watches = [];
  while (watches.length < count) watches.push(...await Promise.all(Array.from({ length: Math.min(25, count - watches.length) }, watch)));
}

const answers = async () => {
  const response = await ask('/readyz');
  response.resume();
  return response.statusCode === 200;
};

/**
 * How many watches are lost: they ended, or an event does not come. A first one comes to every watch whose edge lives, and the answer to it is what an edge
 * that does not know the connection resets; the second one comes to those that go on.
 */
async function lostWatches(): Promise<number> {
  let name = '';
  const goesOn = (one: Watch) => !one.ended && one.events.includes(name);
  for (let i = 0; i < 2; i++) {
    name = `event-${++events}`;
    await cluster.kubectl(['create', 'configmap', name, '--namespace=default']);
    await eventually(() => watches.every(one => one.ended || goesOn(one)), 20_000).catch(() => undefined);
  }
  return watches.filter(one => !goesOn(one)).length;
}

function connections(): number[] {
  return network.edges.map(edge => edge.connectionsAt(EDGE_PORT));
}

function show(text: string): void {
  if (process.env.SHOW_FIGURES) process.stderr.write(`${text}\n`);
}

/** The machine is gone: nothing of it answers any more. */
function cutOff(number: number): void {
  network.router.run(`ip link set edge-${number} down`);
}

function secondsUntil(condition: () => boolean | Promise<boolean>): Promise<string> {
  return secondsOf(eventually(condition, MOVES_MS));
}

async function secondsOf(what: Promise<unknown>): Promise<string> {
  const started = process.hrtime.bigint();
  await what;
  return `${(Number(process.hrtime.bigint() - started) / 1e9).toFixed(1)} s`;
}

describe('an address that moves, by keepalived', () => {
  let daemons: Process[];
  const holds = (edge: Machine) => edge.run('ip -4 -oneline address show dev eth0').includes(`${SHARED_ADDRESS}/32`);

  async function start(secondChance: boolean): Promise<void> {
    if (secondChance) giveSecondChance(network); else holdAddress(network);
    daemons = network.edges.map((edge, i) => startKeepalived(edge, i + 1));
    await movesTo(0);
  }

  async function movesTo(edge: number): Promise<void> {
    await eventually(() => holds(network.edges[edge]), MOVES_MS).catch(error => {
      throw new Error(`${error}\n${daemons.map(({ output }) => output).join('\n\n')}`);
    });
    await eventually(answers, MOVES_MS);
  }

  async function drainFirst(): Promise<void> {
    gateways[0].signal('SIGTERM');
    show(`the address moves after ${await secondsOf(movesTo(1))}`);
  }

  test(`a drain loses none of ${WATCHES} watches, which go on at the edge that they are at; new connections go to the other one`, async () => {
    await start(true);
    await openWatches();
    await eventually(() => connections()[0] === WATCHES && connections()[1] === 0);
    await drainFirst();
    expect(await lostWatches()).toBe(0);
    expect(connections()[0]).toBeGreaterThanOrEqual(WATCHES);
    const old = watches;
    await openWatches(10);
    // A question that was under way when the address moved may be at the first one for a while.
    expect(connections()[0]).toBeGreaterThanOrEqual(WATCHES);
    await eventually(() => connections()[1] === 10);
    watches = [...old, ...watches];
    expect(await lostWatches()).toBe(0);

    // And when the first one is back, the watches at the second one go on as well.
    old.forEach(({ response }) => response.destroy());
    watches = watches.slice(WATCHES);
    await gateways[0].exited;
    gateways[0] = await startEdgeGateway(network.edges[0], tenant(), nameserver);
    await movesTo(0);
    expect(await lostWatches()).toBe(0);
  });

  test('without the second chance a drain ends the watches of its edge', async () => {
    await start(false);
    await openWatches(20);
    await drainFirst();
    expect(await lostWatches()).toBe(20);
  });

  test('the death of the edge that has the address ends its watches at once, and the other one serves', async () => {
    await start(true);
    await openWatches();
    cutOff(1);
    const [served, known] = await Promise.all([secondsUntil(answers), secondsUntil(() => watches.every(({ ended }) => ended))]);
    show(`after the death of an edge: new connections after ${served}, its watches know it after ${known}`);
  });

  test('the death of the edge that does not have it ends none', async () => {
    await start(true);
    await openWatches(50);
    cutOff(2);
    expect(await lostWatches()).toBe(0);
  });
});

describe('two edges by BGP', () => {
  let edges: ((command: string) => string)[];
  let router: (command: string) => string;
  const nextHops = () => network.router.run(`ip route show ${SHARED_ADDRESS}`).match(/192\.0\.2\.1[12]/g) ?? [];

  async function start(secondChance: boolean): Promise<void> {
    if (secondChance) giveSecondChance(network); else holdAddress(network);
    const swapped = (text: string) => text.replace(/192\.0\.2\.1([12])/g, (_, number) => `192.0.2.1${3 - number}`);
    edges = [startBird(network.edges[0], 'bird-edge.conf'), startBird(network.edges[1], 'bird-edge.conf', swapped)];
    router = startBird(network.router, 'bird-router.conf');
    await eventually(() => nextHops().length === 2, MOVES_MS).catch(error => {
      throw new Error(`${error}\n${router('show protocols')}\n${network.router.run('ip route')}`);
    });
    await eventually(answers, MOVES_MS);
  }

  const withdraw = async (number: number) => {
    edges[number - 1]('disable address');
    await eventually(() => nextHops().length === 1, MOVES_MS);
  };
  const announce = async (number: number) => {
    edges[number - 1]('enable address');
    await eventually(() => nextHops().length === 2, MOVES_MS);
  };

  test(`a drain loses none of ${WATCHES} watches, nor does the edge when it comes back`, async () => {
    await start(true);
    await openWatches();
    await eventually(() => connections()[0] + connections()[1] === WATCHES);
    const [first, second] = connections();
    show(`watches at the two edges: ${first}, ${second}`);
    expect(Math.min(first, second)).toBeGreaterThan(WATCHES / 5);
    await withdraw(1);
    expect(await lostWatches()).toBe(0);
    expect(connections()).toEqual([first, second]);
    await announce(1);
    expect(await lostWatches()).toBe(0);
    expect(connections()).toEqual([first, second]);
  });

  test('without the second chance a drain costs the share of its edge, and its return a part of the other one\'s', async () => {
    await start(false);
    await openWatches(200);
    await eventually(() => connections()[0] + connections()[1] === 200);
    const [share] = connections();
    await withdraw(1);
    expect(await lostWatches()).toBe(share);
    watches.forEach(({ response }) => response.destroy());
    await eventually(() => connections()[1] === 0);
    await openWatches(200);
    await eventually(() => connections()[1] === 200);
    await announce(1);
    const lost = await lostWatches();
    show(`lost when an edge comes back, without the second chance: ${lost} of 200`);
    expect(lost).toBeGreaterThan(0);
  });

  test('the death of an edge costs its own share at most', async () => {
    await start(true);
    await openWatches();
    await eventually(() => connections()[0] + connections()[1] === WATCHES);
    const [share, rest] = connections();
    cutOff(1);
    show(`routes without the dead edge after: ${await secondsUntil(() => nextHops().length === 1)}`);
    const lost = await lostWatches();
    show(`lost by the death of an edge: ${lost} of ${WATCHES}, its share was ${share}`);
    expect(lost).toBe(share);
    expect(connections()[1]).toBe(rest);
  });
});
