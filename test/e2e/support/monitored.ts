import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { createServer } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect } from 'tls';
import { Agent } from './agent';
import { Cluster, EXPOSURE } from './cluster';
import { Crowd } from './crowd';
import { again, Fault, Lane } from './faults';
import { Gateway } from './gateway';
import { LISTEN_PORT, Proxy } from './proxy';
import { Relay } from './relay';
import { MountedFolder } from '../../../images/tcp-proxy/test/support/mounted-folder';
import { Exposure } from '../../../src';
import { CONTAINER } from '../../../src/shared-gateway/gateway-pod';
import { GatewayTenant, tableTexts } from '../../../src/shared-gateway/routing-tables';
import { resolveGateway } from '../../../src/shared-gateway/settings';
import { resolveTcpProxy } from '../../../src/tcp-proxy/settings';
import { eventually } from '../../data-path/support/eventually';
import { CertificateAuthority } from '../../support/certificates';
import { freePorts } from '../../support/ports';

const DAY_MS = 86_400_000;
/** More than 70 % of what the process may have, and less than the clients of a crowd want. */
const FEW = { maxConnections: 300, shares: { perSource: 290 } };
const CROWD = 400;
/** A certificate of which nine tenths are over, and one of an authority that nobody trusts. */
const AGED = () => ({ notBefore: new Date(Date.now() - 90 * DAY_MS), notAfter: new Date(Date.now() + 10 * DAY_MS) });

async function killHaproxy(agent: Agent): Promise<void> {
  const { master } = await eventually(() => agent.haproxy, 30_000);
  process.kill(-master, 'SIGKILL');
  await eventually(() => !alive(master), 10_000);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Clients above the limit of their source, which is near that of the process. */
function crowded(prefix: string, host: string, port: number): Fault {
  let crowd: Crowd;
  return {
    what: 'more clients than a source may have',
    alerts: [`${prefix}ConnectionsRefused`, `${prefix}NearlyFull`],
    break: () => { crowd = new Crowd(host, port, CROWD); },
    repair: () => crowd.stop(),
  };
}

/** A tcp-proxy with its endpoints, and one that is crowded. */
export async function proxyLanes(cluster: Cluster): Promise<Lane[]> {
  const first = await Proxy.start(cluster, 'tcp-proxy-a', '10.77.0.2');
  const relay = await Relay.start(EXPOSURE.api.port);
  const { maxConnections, limits } = resolveTcpProxy(FEW, 'tls').haproxy;
  const second = await Proxy.start(cluster, 'tcp-proxy-b', '10.77.0.3', undefined, {
    config: { maxConnections, limits, upstream: { host: '127.0.0.1', port: relay.port, mode: 'tls', serverName: EXPOSURE.api.host } },
    flags: ['--endpoints=none'],
  });
  await Promise.all([first.ready(60_000), second.ready(60_000)]);
  const issue = async (ca: CertificateAuthority, more = {}) => first.mount(await ca.issue({
    commonName: 'tcp-proxy', sans: [...EXPOSURE.inClusterNames, ...EXPOSURE.kubernetesServiceIps], keyType: 'ecdsa', ...more,
  }));
  const wrongEndpoints = () => cluster.kubectl(['patch', 'endpointslice', '--namespace=default', 'kubernetes', '--type=json', '--patch',
    JSON.stringify([{ op: 'replace', path: '/endpoints/0/addresses/0', value: '10.77.0.99' }])]);
  return [{
    job: 'tcp-proxy',
    faults: [
      again('a second writer of the endpoints', ['TcpProxyEndpointsContested'], wrongEndpoints),
      {
        what: 'an old certificate, whose successor is of another authority; no permission to write endpoints that are wrong',
        alerts: ['TcpProxyCertificateExpiring', 'TcpProxyCertificateRefused', 'TcpProxyEndpointsWrong'],
        break: async () => {
          await issue(cluster.ca, AGED());
          await eventually(async () => (await first.http('/metrics')).body.includes('{kind="serving",result="applied"} 1'), 30_000);
          await issue(await CertificateAuthority.create('stranger', 'ecdsa'));
          await cluster.kubectl(['delete', 'role', 'tcp-proxy-endpoints', '--namespace=default']);
          await wrongEndpoints();
        },
        repair: async () => {
          await issue(cluster.ca);
          await cluster.applyAddon();
        },
      },
    ],
  }, {
    job: 'tcp-proxy-b',
    faults: [
      crowded('TcpProxy', second.address, LISTEN_PORT),
      again('HAProxy dies', ['TcpProxyRestarting'], () => killHaproxy(second.agent)),
      { what: 'the upstream is gone', alerts: ['TcpProxyNotReady', 'TcpProxyDown'], break: () => relay.become('cut'), repair: () => relay.become('open') },
    ],
  }];
}

/** A tenant of the gateway at this port. */
function atGateway(name: string, apiPort: number): GatewayTenant {
  const exposure = new Exposure({ name, namespace: 'tenants', hostname: `${name}.k8s.example.com`, clusterId: name, backend: { serviceName: name, apiPort } });
  return { exposure, routes: exposure.routes };
}

/**
 * A gateway that follows its routes by the API of the management cluster.
 *
 * @param objects what the library makes of it
 */
export async function gatewayLane(cluster: Cluster, objects: any[], namespace: string): Promise<Lane> {
  const [reached, nobody] = [atGateway('first', cluster.port), atGateway('dead', (await freePorts(1))[0])];
  const relay = await Relay.start(cluster.port);
  await cluster.kubectl(['create', 'namespace', namespace]);
  const own = ({ kind, metadata }: any) => ['ServiceAccount', 'Role', 'RoleBinding'].includes(kind) && metadata.namespace === namespace;
  await cluster.apply(objects.filter(own));
  const folder = mkdtempSync(join(tmpdir(), 'edge-'));
  writeFileSync(join(folder, 'token'), await cluster.token(namespace, 'edge'));
  const ca = await CertificateAuthority.create('tunnel', 'ecdsa');
  const files = async (issuer: CertificateAuthority, more = {}) => {
    const { certificate, key } = await issuer.issue({ commonName: 'tunnel', sans: ['tunnel.example.com'], keyType: 'ecdsa', ...more });
    return { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca.certificate };
  };
  const tunnel = new MountedFolder(join(folder, 'tunnel'), await files(ca));
  const { args } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  const gateway = await Gateway.start([reached, nobody], [
    ...args.filter((arg: string) => arg.startsWith('--route-config-map=')), `--namespace=${namespace}`, '--resolve-interval=2s', '--reload-interval=1s',
    `--api-server=https://127.0.0.1:${relay.port}`, `--ca-file=${cluster.caFile}`, `--token-file=${folder}/token`,
  ], resolveGateway({ ...FEW, shares: { perSource: 290, perTenant: 290 } }).haproxy, tunnel.path);
  const configuration = readFileSync(gateway.configFile, 'utf8');
  const dial = () => {
    const socket = connect({ host: '127.0.0.1', port: CONTAINER.sniPort, servername: nobody.exposure.api.host, rejectUnauthorized: false });
    socket.on('error', () => undefined).on('secureConnect', () => socket.destroy());
  };
  let dialing: NodeJS.Timeout;
  const squatter = createServer(socket => socket.destroy());
  return {
    job: 'edge',
    faults: [
      {
        what: 'lines, a configuration and a certificate that cannot be used, an API server that is gone, a Service that does not exist, a tenant that is switched off',
        alerts: [
          'SharedGatewayRoutesRefused', 'SharedGatewayConfigurationRefused', 'SharedGatewayCertificateExpiring', 'SharedGatewayCertificateRefused',
          'SharedGatewayRoutesNotFollowed', 'SharedGatewayServicesUnresolved', 'SharedGatewayConnectionErrors',
        ],
        break: async () => {
          tunnel.update(await files(ca, AGED()));
          const lost = atGateway('lost', 6443);
          const texts = tableTexts([reached, nobody, lost], 'cluster.local');
          gateway.mountTables({ ...texts, hosts: `${texts.hosts}not a line of a map\n` });
          writeFileSync(gateway.configFile, `${configuration}\nlisten to-me\n  no such keyword\n`);
          relay.become('cut');
          dialing = setInterval(dial, 100);
          await new Promise(resolve => setTimeout(resolve, 1_000));
          tunnel.update({ ...await files(ca), 'tls.key': (await files(ca))['tls.key'] });
        },
        repair: async () => {
          tunnel.update(await files(ca));
          gateway.mount([reached, nobody]);
          writeFileSync(gateway.configFile, configuration);
          relay.become('open');
          clearInterval(dialing);
        },
      },
      {
        what: 'DNS does not answer',
        alerts: ['SharedGatewayDnsFailing'],
        break: () => { gateway.dns.answering = false; },
        repair: () => { gateway.dns.answering = true; },
      },
      crowded('SharedGateway', '127.0.0.1', CONTAINER.sniPort),
      again('HAProxy dies', ['SharedGatewayRestarting'], () => killHaproxy(gateway.agent)),
      {
        what: 'another program has taken the port of HAProxy',
        alerts: ['SharedGatewayNotReady', 'SharedGatewayDown'],
        break: async () => {
          await eventually(async () => {
            await killHaproxy(gateway.agent);
            return new Promise<boolean>(resolve => squatter.once('error', () => resolve(false)).listen(CONTAINER.sniPort, '127.0.0.1', () => resolve(true)));
          }, 30_000);
        },
        repair: () => new Promise(resolve => squatter.close(resolve)),
      },
    ],
  };
}
