import { ChildProcess, spawn } from 'child_process';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { API_HOST, authority, temporaryFolder } from './chain';
import { eventually } from './eventually';
import { keep } from './parts';
import { Namespace } from '../../../images/tcp-proxy/test/support/namespace';

export const ADDRESSES = { client: '10.9.0.2', upstream: '10.9.0.3' };
export const UPSTREAM_PORT = 6443;

/** The side of a connection that dies: it neither answers nor says goodbye. */
export type Side = keyof typeof ADDRESSES;

/** A network in which a client, a proxy and an upstream are, each with an address that can vanish. */
export class LossyNetwork {
  public static async create(): Promise<LossyNetwork> {
    const namespace = await Namespace.create();
    keep({ stop: () => namespace.remove() });
    namespace.ip('link', 'set', 'lo', 'up');
    for (const address of Object.values(ADDRESSES)) {
      namespace.ip('address', 'add', `${address}/32`, 'dev', 'lo');
    }
    return new LossyNetwork(namespace);
  }

  private readonly lines: string[] = [];
  private peers!: ChildProcess;

  private constructor(private readonly namespace: Namespace) {}

  public get inside() {
    return this.namespace.inside;
  }

  /** Opens a connection through the proxy, and waits until it goes all the way. */
  public async connect(proxyPort: number): Promise<void> {
    const ca = await authority();
    const { certificate: cert, key } = await ca.issue({ commonName: 'kube-apiserver', sans: [API_HOST], keyType: 'ecdsa' });
    const program = join(await temporaryFolder(), 'peers.js');
    buildSync({ entryPoints: [join(__dirname, 'peers-program.ts')], outfile: program, bundle: true, platform: 'node', logLevel: 'warning' });
    const settings = {
      cert,
      key,
      ca: ca.certificate,
      serverName: API_HOST,
      proxyPort,
      upstreamPort: UPSTREAM_PORT,
      upstreamAddress: ADDRESSES.upstream,
      clientAddress: ADDRESSES.client,
    };
    const { prefix: [command, ...words], env } = this.inside;
    this.peers = spawn(command, [...words, process.execPath, program, JSON.stringify(settings)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    keep({ stop: () => void this.peers.kill('SIGKILL') });
    this.peers.stdout!.setEncoding('utf8').on('data', (text: string) => this.lines.push(...text.split('\n').filter(Boolean)));
    await eventually(() => this.lines.includes('open'));
  }

  /** Takes a side's address away; from now on no packet reaches it. */
  public kill(side: Side): void {
    this.namespace.ip('address', 'del', `${ADDRESSES[side]}/32`, 'dev', 'lo');
  }

  /** Has a side send something. */
  public send(from: Side): void {
    this.peers.stdin!.write(`${from}\n`);
  }

  /** Whether a side has seen the end of the connection. */
  public closed(side: Side): boolean {
    return this.lines.includes(`closed ${side}`);
  }
}
