import { connect as connectTcp, Socket } from 'net';
import { setTimeout as sleep } from 'timers/promises';
import { connect, SecureContext, TLSSocket } from 'tls';
import { keep } from '../../data-path/support/parts';
import { TlsServer } from '../../data-path/support/tls-server';
import { CertificatePair } from '../../support/certificates';

/**
 * Which way of a connection is full: that of the answers, which the client does not read, that of the requests, or both. A client alone
 * can have both of an API server: HTTP/1.1 requests, one behind the other, whose answers it does not read.
 */
export type Stalled = 'answers' | 'requests' | 'both';

/** This process is more than the attackers. */
const [BATCH, BATCH_MS] = [20, 100];
const CHUNK = Buffer.alloc(64 * 1024);
const HELD = 'held';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok';

/** Where a client connects to, from where, and whom it trusts. */
export interface Way {
  readonly host: string;
  readonly port: number;
  readonly localAddress: string;
  readonly secureContext: SecureContext;
}

interface Client {
  readonly tcp: Socket;
  readonly tls: TLSSocket;
}

/** An API server in the place of the tenant's, and clients that hold connections to it. */
export class Stalling {
  public static async start({ certificate, key }: CertificatePair): Promise<Stalling> {
    const held: TLSSocket[] = [];
    const server = await TlsServer.start({ cert: certificate, key }, socket => {
      socket.once('data', first => {
        if (String(first) === HELD) {
          held.push(socket);
          socket.write(HELD);
        } else {
          socket.end(OK);
        }
      });
    });
    return new Stalling(server, held);
  }

  private readonly clients: Client[] = [];

  private constructor(private readonly server: TlsServer, private readonly held: TLSSocket[]) {}

  public get port(): number {
    return this.server.port;
  }

  /** How many connections are open from end to end. */
  public get open(): number {
    return this.clients.filter(({ tcp }) => !tcp.destroyed).length;
  }

  /** Opens one more connection. */
  public async hold(way: Way): Promise<void> {
    const client = clientOf(way);
    client.tls.write(HELD);
    await new Promise<void>((resolve, reject) => {
      client.tls.once('data', () => resolve()).once('close', () => reject(new Error('a connection was refused')));
    });
    this.clients.push(client);
  }

  /** Some after the others, nobody reads any more, and those send who fill this way. */
  public async stall(stalled: Stalled): Promise<void> {
    const both = [...this.held.map(socket => () => stall(socket, stalled !== 'requests')), ...this.clients.map(({ tls }) => () => stall(tls, stalled !== 'answers'))];
    for (let i = 0; i < both.length; i += BATCH) {
      both.slice(i, i + BATCH).forEach(start => start());
      await sleep(BATCH_MS);
    }
  }

  /** Gives up the first connections, with what the kernel still has to send. */
  public release(count: number): void {
    this.clients.splice(0, count).forEach(({ tcp }) => tcp.resetAndDestroy());
  }

  public async stop(): Promise<void> {
    this.release(this.clients.length);
    await this.server.stop();
  }
}

/** Whether a request on a connection of its own is answered. */
export async function isAnswered(way: Way): Promise<boolean> {
  const { tls } = clientOf(way);
  tls.write('GET /version HTTP/1.1\r\nhost: kubernetes\r\n\r\n');
  let answer = '';
  tls.on('data', chunk => answer += chunk);
  await new Promise(resolve => tls.once('close', resolve));
  return answer.endsWith('ok');
}

function clientOf({ secureContext, ...way }: Way): Client {
  const tcp = connectTcp(way).on('error', () => undefined);
  keep({ stop: () => void tcp.destroy() });
  return { tcp, tls: connect({ socket: tcp, servername: 'kubernetes', secureContext }).on('error', () => undefined) };
}

function stall(socket: TLSSocket, sending: boolean): void {
  socket.pause();
  const send = () => {
    socket.write(CHUNK, error => error ?? send());
  };
  if (sending) {
    send();
  }
}
