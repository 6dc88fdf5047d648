import { connect as connectTcp, Socket } from 'net';
import { connect, createSecureContext, SecureContext, TLSSocket } from 'tls';
import { GatewayInstallation, serviceName } from './gateway-installation';
import { resolveShares } from '../../../../src/haproxy/resolve-shares';
import { clusterIdHeader } from '../../../../test/data-path/support/gateway';
import { keep, stopParts } from '../../../../test/data-path/support/parts';
import { TlsServer } from '../../../../test/data-path/support/tls-server';
import { CertificateAuthority } from '../../../../test/support/certificates';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { Flood } from '../support/flood';
import { ReadinessProbes } from '../support/readiness-probes';

jest.setTimeout(120_000);

const LIMIT = 1_000;
/** As the library gives them out. */
const SHARE = LIMIT / 8;
const TENANTS = 5;
const LEGITIMATE = 40;
const TRUSTED = '127.5.0.0/16';
const hostOf = (tenant: number) => `tenant-${tenant}.k8s.example.com`;

let secureContext: SecureContext;
let installation: GatewayInstallation;
let agent: Agent;
let probes: ReadinessProbes;
const floods: Flood[] = [];

async function start(trustedSources?: string[]): Promise<void> {
  const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
  secureContext = createSecureContext({ ca: ca.certificate });
  installation = await GatewayInstallation.create(0, {
    maxConnections: LIMIT,
    limits: resolveShares(LIMIT, { trustedSources }, { perSource: 1 / 8, perTenant: 1 / 8 }),
  });
  const lines = { 'hosts-00.map': '', 'cluster-ids-00.map': '' };
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const { certificate, key } = await ca.issue({ commonName: 'kube-apiserver', sans: [hostOf(tenant)], keyType: 'ecdsa' });
    const server = await TlsServer.start({ cert: certificate, key }, socket => socket.write(hostOf(tenant)));
    const name = `tenant-${tenant}`;
    installation.dns.records.set(serviceName(name), ['127.0.0.1']);
    lines['hosts-00.map'] += `${hostOf(tenant)} ${serviceName(name)}:${server.port}\n`;
    lines['cluster-ids-00.map'] += `${name} ${serviceName(name)}:${server.port}\n`;
  }
  installation.mountRoutes(lines);
  agent = installation.start();
  await agent.readyz(200, `${TENANTS} of ${TENANTS}`);
  const { port } = await agent.logged('/readyz');
  probes = new ReadinessProbes({ host: '127.0.0.1', port: port as number });
}

afterEach(async () => {
  floods.splice(0).forEach(each => each.stop());
  await installation.remove();
  await stopParts();
});

function silent(i: number, localAddress: string): Socket {
  return connectTcp({ host: '127.0.0.1', port: i % 2 ? installation.sniPort : installation.clusterIdPort, localAddress }).resume();
}

/** A client of a tenant, on each of the two ports in turn. */
function client(i: number, tenant: number, localAddress: string): TLSSocket {
  const tcp = connectTcp({ host: '127.0.0.1', port: i % 2 ? installation.sniPort : installation.clusterIdPort, localAddress });
  if (i % 2 === 0) tcp.write(clusterIdHeader(`tenant-${tenant}`));
  const socket = connect({ socket: tcp, servername: hostOf(tenant), secureContext });
  tcp.on('error', () => undefined);
  return socket.on('error', () => undefined);
}

/** How many of the clients of the other tenants are answered, each on its first try. */
async function answered(network: string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: LEGITIMATE }, async (_, i) => {
    const tenant = 1 + i % (TENANTS - 1);
    const socket = client(i, tenant, `${network}.${1 + i}`);
    keep({ stop: () => void socket.destroy() });
    const answer = await new Promise(resolve => socket.once('data', resolve).once('close', resolve));
    socket.destroy();
    return String(answer) === hostOf(tenant);
  }));
  return answers.filter(Boolean).length;
}

async function flood(count: number, open: (i: number) => Socket): Promise<Flood> {
  const started = new Flood(count, open);
  floods.push(started);
  await started.start();
  return started;
}

async function metric(pattern: RegExp): Promise<number> {
  const { body } = await agent.http('/metrics');
  return [...body.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}
const open = () => metric(/^haproxy_frontend_current_sessions\{proxy="(?:sni|cluster-id)"\} (\d+)/gm);
const refused = (limit: string) => metric(new RegExp(`^tcp_proxy_refused_connections_total\\{limit="${limit}"\\} (\\d+)`, 'gm'));
const reaches = (count: number) => eventually(async () => expect(await open()).toBeGreaterThanOrEqual(count));

describeWithHaproxy('a gateway pod in a flood', () => {
  test('serves other sources and tenants, and those that it trusts when its ports are full, and is ready throughout', async () => {
    await start([TRUSTED]);
    const forOthers = LIMIT * 3 / 4;
    await flood(1_100, i => silent(i, '127.0.0.66'));
    await flood(1_000, i => client(i, 0, `127.1.${i % 100}.1`));
    await reaches(SHARE + SHARE * 3 / 4);
    expect(await answered('127.3.0')).toBe(LEGITIMATE);
    expect(await refused('source')).toBeGreaterThanOrEqual(1_100 - SHARE);
    expect(await refused('tenant')).toBeGreaterThanOrEqual(1_000 - SHARE);
    expect(await refused('total')).toBe(0);

    const everywhere = await flood(1_500, i => silent(i, `127.2.${i % 250}.1`));
    await reaches(forOthers);
    expect(await answered('127.5.0')).toBe(LEGITIMATE);
    // What no limit for sources stops: they get in where one of the flood has just left.
    expect(await answered('127.3.0')).toBeLessThan(LEGITIMATE);
    everywhere.stop();
    expect(await eventually(async () => {
      const count = await answered('127.3.0');
      if (count < LEGITIMATE) throw new Error(`${count} are answered`);
      return count;
    })).toBe(LEGITIMATE);
    await eventually(() => expect(probes.answers.length).toBeGreaterThan(10));
    expect(await probes.stop()).toEqual([]);
  });

  test('is ready with its ports full from many sources where it trusts none, and serves when they leave', async () => {
    await start();
    const everywhere = await flood(2 * LIMIT, i => silent(i, `127.2.${i % 250}.1`));
    await reaches(LIMIT);
    expect(await answered('127.3.0')).toBeLessThan(LEGITIMATE);
    everywhere.stop();
    await eventually(async () => expect(await answered('127.3.0')).toBe(LEGITIMATE));
    expect(await probes.stop()).toEqual([]);
  });
});
