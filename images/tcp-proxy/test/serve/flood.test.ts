import { connect as connectTcp, Socket } from 'net';
import { connect, createSecureContext, SecureContext, TLSSocket } from 'tls';
import { resolveShares } from '../../../../src/haproxy/resolve-shares';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { Flood } from '../support/flood';
import { Installation } from '../support/installation';
import { ReadinessProbes } from '../support/readiness-probes';

jest.setTimeout(120_000);

const LIMIT = 1_000;
/** As the library gives it out. */
const SHARE = LIMIT / 4;
const LEGITIMATE = 40;
const TRUSTED = '127.5.0.0/16';

let installation: Installation;
let secureContext: SecureContext;
let agent: Agent;
let probes: ReadinessProbes;
const floods: Flood[] = [];

async function start(trustedSources?: string[]): Promise<void> {
  installation = await Installation.create({ maxConnections: LIMIT, limits: resolveShares(LIMIT, { trustedSources }, { perSource: 1 / 4 }) });
  secureContext = createSecureContext({ ca: installation.ca.certificate });
  agent = installation.serve();
  await agent.readyz(200);
  const { port } = await agent.logged('/readyz');
  probes = new ReadinessProbes({ host: '127.0.0.1', port: port as number });
}

afterEach(async () => {
  floods.splice(0).forEach(each => each.stop());
  await installation.remove();
});

function silent(localAddress: string): Socket {
  return connectTcp({ host: '127.0.0.1', port: installation.port, localAddress }).resume();
}

function client(localAddress: string): TLSSocket {
  const options = { host: '127.0.0.1', port: installation.port, localAddress, servername: 'kubernetes', secureContext };
  const socket = connect(options).on('error', () => undefined);
  return socket.resume();
}

/** How many clients are answered, each on its first try. */
async function answered(network: string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: LEGITIMATE }, async (_, i) => {
    const socket = client(`${network}.${1 + i}`);
    socket.write('GET / HTTP/1.1\r\nhost: kubernetes\r\nconnection: close\r\n\r\n');
    let answer = '';
    socket.on('data', chunk => answer += chunk);
    await new Promise(resolve => socket.once('close', resolve));
    return answer.endsWith('answer of the upstream');
  }));
  return answers.filter(Boolean).length;
}

async function flood(count: number, open: (i: number) => Socket): Promise<Flood> {
  const started = new Flood(count, open);
  floods.push(started);
  await started.start();
  return started;
}

async function metric(name: string): Promise<number> {
  const { body } = await agent.http('/metrics');
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)![1]);
}
const reaches = (count: number) => eventually(async () =>
  expect(await metric('haproxy_frontend_current_sessions\\{proxy="api"\\}')).toBeGreaterThanOrEqual(count));

describeWithHaproxy('a tcp-proxy pod in a flood', () => {
  test('serves other sources, and those that it trusts when its port is full, and is ready throughout', async () => {
    await start([TRUSTED]);
    await flood(1_100, () => silent('127.0.0.66'));
    await flood(300, () => client('127.0.0.67'));
    await reaches(2 * SHARE);
    expect(await answered('127.3.0')).toBe(LEGITIMATE);
    expect(await metric('tcp_proxy_refused_connections_total\\{limit="source"\\}')).toBeGreaterThanOrEqual(1_400 - 2 * SHARE);
    expect(await metric('tcp_proxy_refused_connections_total\\{limit="total"\\}')).toBe(0);

    const everywhere = await flood(1_500, i => silent(`127.2.${i % 250}.1`));
    await reaches(LIMIT * 3 / 4);
    expect(await answered('127.5.0')).toBe(LEGITIMATE);
    expect(await answered('127.3.0')).toBeLessThan(LEGITIMATE);
    everywhere.stop();
    await eventually(async () => expect(await answered('127.3.0')).toBe(LEGITIMATE));
    await eventually(() => expect(probes.answers.length).toBeGreaterThan(10));
    expect(await probes.stop()).toEqual([]);
  });

  test('is ready with its port full from many sources where it trusts none, and serves when they leave', async () => {
    await start();
    const everywhere = await flood(2 * LIMIT, i => silent(`127.2.${i % 250}.1`));
    await reaches(LIMIT);
    expect(await answered('127.3.0')).toBeLessThan(LEGITIMATE);
    everywhere.stop();
    await eventually(async () => expect(await answered('127.3.0')).toBe(LEGITIMATE));
    expect(await probes.stop()).toEqual([]);
  });
});
