import { ChildProcess, spawn } from 'child_process';
import { join } from 'path';
import { createInterface } from 'readline';
import { buildSync } from 'esbuild';
import { temporaryFolder } from './chain';
import { keep } from './parts';
import { TLS_START } from './tenant-server';
import { Namespace } from '../../../images/tcp-proxy/test/support/namespace';

/** Where a call goes, and where it comes from. */
export interface AddressCall {
  readonly to: string;
  /** @default - as the kernel chooses */
  readonly from?: string;
  readonly port: number;
  /** @default - the first bytes of TLS */
  readonly bytes?: Buffer;
}

/** A network namespace in which every address of some networks is the node's own, with tenants and clients in it. */
export class AddressNetwork {
  /**
   * @param networks in CIDR notation
   * @param sources addresses that clients may have
   */
  public static async create(networks: string[], sources: string[]): Promise<AddressNetwork> {
    const namespace = await Namespace.create();
    keep({ stop: () => namespace.remove() });
    namespace.ip('link', 'set', 'lo', 'up');
    networks.forEach(network => namespace.ip('-6', 'route', 'add', 'local', network, 'dev', 'lo'));
    sources.forEach(address => namespace.ip('address', 'add', `${address}/128`, 'dev', 'lo', 'nodad'));
    const program = join(await temporaryFolder(), 'addresses.js');
    buildSync({ entryPoints: [join(__dirname, 'addresses-program.ts')], outfile: program, bundle: true, platform: 'node', logLevel: 'warning' });
    const { prefix: [command, ...words], env } = namespace.inside;
    const child = spawn(command, [...words, process.execPath, program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    keep({ stop: () => void child.kill('SIGKILL') });
    return new AddressNetwork(namespace, child);
  }

  private readonly waiting: ((answer: any) => void)[] = [];

  private constructor(private readonly namespace: Namespace, private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', line => this.waiting.shift()!(JSON.parse(line)));
  }

  /** How to start a program in it. */
  public get inside() {
    return this.namespace.inside;
  }

  /** Starts a server on 127.0.0.1 that answers the first bytes of every connection with its name. */
  public listen(name: string): Promise<number> {
    return this.request({ listen: name });
  }

  /** What each call is answered; empty for those that are closed or refused. */
  public ask(calls: AddressCall[]): Promise<string[]> {
    return this.request({ ask: calls.map(call => ({ ...call, bytes: (call.bytes ?? TLS_START).toString('latin1') })) });
  }

  private request<T>(request: object): Promise<T> {
    this.child.stdin!.write(`${JSON.stringify(request)}\n`);
    return new Promise(resolve => this.waiting.push(resolve));
  }
}
