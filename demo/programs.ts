import { mkdirSync, mkdtempSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { Platform, Ports } from './platform';
import { SOCKETS } from '../src/agent/contract/paths';
import { DnsServer } from '../test/data-path/support/dns-server';
import { eventually } from '../test/data-path/support/eventually';
import { startIngress } from '../test/data-path/support/ingress';
import { Process } from '../test/e2e/support/process';
import { CertificatePair } from '../test/support/certificates';
import { haproxyBinary } from '../test/support/haproxy';

/** The program of the image. */
export const PROGRAM = join(__dirname, '..', 'images', 'tcp-proxy', 'dist', 'main', 'index.js');
const READY_MS = 20_000;

/** An agent of the image. It ends its HAProxy when it is asked to end, and leaves it behind when it is killed. */
class Agent extends Process {
  public async stop(): Promise<void> {
    if (this.alive) {
      await this.kill('SIGTERM');
    }
  }
}

/** What a configuration needs to run here instead of in a pod. */
interface Relocation {
  readonly folder: string;
  readonly dns: DnsServer;
  /** What binds where. */
  readonly binds: { [port: number]: number };
}

/** The shared ingress, made of the synthesized routes. */
export async function startSharedIngress(platform: Platform, ports: Ports): Promise<void> {
  const routes = Object.fromEntries(platform.routes.map(({ hostname, servicePort }) => [hostname, servicePort]));
  await startIngress(shortFolder(), routes, ports.ingress);
}

/**
 * `tcp-proxy serve` with a synthesized configuration; it leaves `default/kubernetes` alone, as there are no nodes here.
 *
 * @returns the socket of its HAProxy's master
 */
export async function startProxy(config: string, port: number, dns: DnsServer, ca: string, pair?: CertificatePair): Promise<string> {
  const folder = shortFolder();
  mkdirSync(join(folder, 'tls'));
  writeFileSync(join(folder, 'ca.crt'), ca);
  if (pair) {
    writeFileSync(join(folder, 'tls', 'tls.crt'), pair.certificate);
    writeFileSync(join(folder, 'tls', 'tls.key'), pair.key);
  }
  writeFileSync(join(folder, 'haproxy.cfg'), relocated(config, { folder, dns, binds: { 6443: port } }));
  await startAgent(folder, port, [
    'serve', '--endpoints=none', `--ca-file=${folder}/ca.crt`, ...pair ? [`--tls-dir=${folder}/tls`] : [], '--api-server=https://unused.example.com',
  ]);
  return join(folder, 'run', SOCKETS.master);
}

/** `tcp-proxy gateway` with the synthesized configuration and tables. */
export async function startGateway({ gateway, gatewayTables }: Platform, ports: Ports, dns: DnsServer): Promise<void> {
  const folder = shortFolder();
  mkdirSync(join(folder, 'routes'));
  for (const [file, text] of Object.entries(gatewayTables)) {
    // As the pod's volume names the tables of the first shard.
    writeFileSync(join(folder, 'routes', file.replace('.map', '-00.map')), text);
  }
  writeFileSync(join(folder, 'haproxy.cfg'), relocated(gateway, { folder, dns, binds: { 8443: ports.gatewaySni, 6443: ports.gatewayClusterId } }));
  await startAgent(folder, ports.gatewayClusterId, ['gateway', `--routes-dir=${folder}/routes`, `--nameserver=127.0.0.1:${dns.port}`]);
}

/** In the workplace. */
function shortFolder(): string {
  return mkdtempSync(join(tmpdir(), 'p-'));
}

/** The configuration as it was synthesized, but for paths, the addresses that it binds to and the DNS server. */
function relocated(config: string, { folder, dns, binds }: Relocation): string {
  const here = config
    .replaceAll('/run/tcp-proxy', join(folder, 'run'))
    .replaceAll('/etc/tcp-proxy/tls', join(folder, 'tls'))
    .replaceAll('/etc/tcp-proxy/ca/ca.crt', join(folder, 'ca.crt'))
    .replace('  parse-resolv-conf', `  nameserver demo 127.0.0.1:${dns.port}`);
  return here.replace(/^( {2}bind) \S*:(\d+)/gm, (line, keyword, port) => port in binds ? `${keyword} 127.0.0.1:${binds[port]}` : line);
}

async function startAgent(folder: string, port: number, args: string[]): Promise<void> {
  const healthPort = port + 1;
  const agent = new Agent(process.execPath, [
    PROGRAM, ...args, `--haproxy-config=${folder}/haproxy.cfg`, `--haproxy-binary=${haproxyBinary()}`, `--run-dir=${folder}/run`,
    `--health-address=127.0.0.1:${healthPort}`, '--propagation-delay=0s', '--grace-period=0s', '--log-level=warn',
  ]);
  await eventually(() => new Promise<boolean>((resolve, reject) => {
    const refused = (reason: string) => reject(new Error(`${args[0]} is not ready: ${reason}\n${agent.output}`));
    get({ host: '127.0.0.1', port: healthPort, path: '/readyz', agent: false }, async response => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) {
        body += chunk;
      }
      return response.statusCode === 200 ? resolve(true) : refused(body);
    }).on('error', error => refused(error.message));
  }), READY_MS);
}
