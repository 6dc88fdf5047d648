import { connect as connectTcp, Socket } from 'net';
import { Duplex } from 'stream';
import { connect, ConnectionOptions, TLSSocket } from 'tls';
import { Answer } from './backend';
import { EDGE } from './network';
import { keep } from '../../../data-path/support/parts';
import { CertificatePair } from '../../../support/certificates';

/** How a client connects. */
export interface ClientOptions {
  readonly host?: string;
  readonly port: number;
  /** @default - none is sent */
  readonly servername?: string;
  /** Who must have issued the server's certificate, for the host `expected`. @default - any certificate will do */
  readonly ca?: string;
  /** @default - servername */
  readonly expected?: string;
  readonly certificate?: CertificatePair;
  readonly alpn?: string[];
  /** Source address. */
  readonly source?: string;
  /** Bytes to send before the ClientHello. */
  readonly before?: Buffer;
  /** The way to the controller, instead of a TCP connection of its own. */
  readonly transport?: Duplex;
}

/** What became of a connection. */
export interface Outcome {
  /** Common name of the certificate that was shown. */
  readonly shown?: string;
  /** What the backend says, when one was reached. */
  readonly answer?: Answer;
  /** The protocol that was agreed on, as the client sees it. */
  readonly alpn?: string | false;
  /** Why it failed. */
  readonly error?: string;
}

const DEADLINE_MS = 10_000;
/** The error of a connection that was left without an answer, and open. */
export const SILENCE = 'silence';

/** An open connection to a backend. */
export class Stream {
  /** Opens one; rejects when no backend answers. */
  public static async open(options: ClientOptions): Promise<Stream> {
    const stream = new Stream(options);
    const outcome = await stream.outcome;
    if (!outcome.answer) throw new Error(JSON.stringify(outcome));
    return stream;
  }

  public readonly outcome: Promise<Outcome>;
  private readonly socket: TLSSocket;
  private text = '';
  private ended = false;
  private failure?: string;
  private waiting: (() => void)[] = [];

  public constructor(options: ClientOptions) {
    this.socket = connect(tlsOptions(options));
    keep({ stop: () => this.close() });
    this.socket.setEncoding('utf8')
      .on('data', text => {
        this.text += text;
        this.wake();
      })
      .on('error', error => this.failure ??= (error as NodeJS.ErrnoException).code ?? error.message)
      .on('close', () => {
        this.ended = true;
        this.wake();
      });
    this.outcome = this.begin();
  }

  /** Sends a line and gives what comes back; rejects when the connection ends first. */
  public async echo(text: string): Promise<string> {
    this.socket.write(`${text}\n`);
    const line = await this.line();
    if (line === undefined) throw new Error(this.failure ?? 'the connection has ended');
    return line;
  }

  /** Resolves when the other end has ended the connection. */
  public async end(): Promise<void> {
    while (await this.line() !== undefined);
  }

  public close(): void {
    this.socket.destroy();
  }

  private async begin(): Promise<Outcome> {
    let shown: string | undefined;
    let alpn: string | false | undefined;
    const silence = setTimeout(() => this.socket.destroy(new Error(SILENCE)), DEADLINE_MS);
    this.socket.once('secureConnect', () => {
      const { subject } = this.socket.getPeerCertificate();
      shown = subject && String(subject.CN);
      alpn = this.socket.alpnProtocol ?? undefined;
      this.socket.write('hello\n');
    });
    const line = await this.line();
    clearTimeout(silence);
    return { shown, alpn, answer: parse(line), error: this.failure };
  }

  private wake(): void {
    this.waiting.splice(0).forEach(resolve => resolve());
  }

  /** The next line, or undefined at the end. */
  private async line(): Promise<string | undefined> {
    while (!this.text.includes('\n') && !this.ended) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    const [line, ...rest] = this.text.split('\n');
    this.text = rest.join('\n');
    return rest.length > 0 ? line : undefined;
  }
}

/** Connects, asks who is there, and closes; never rejects. */
export async function ask(options: ClientOptions): Promise<Outcome> {
  const stream = new Stream(options);
  const outcome = await stream.outcome;
  stream.close();
  return outcome;
}

function tlsOptions({ host, port, servername, ca, expected, certificate, alpn, source, before, transport }: ClientOptions): ConnectionOptions {
  const socket: Duplex = transport ?? tcp(host ?? EDGE.v4, port, source);
  if (before) socket.write(before);
  return {
    socket,
    servername: servername ?? '',
    ca,
    rejectUnauthorized: ca !== undefined,
    ...expected === undefined ? {} : { checkServerIdentity: (_: string, shown: any) => namesOf(shown).includes(expected) ? undefined : new Error(`not for ${expected}`) },
    cert: certificate?.certificate,
    key: certificate?.key,
    ALPNProtocols: alpn,
  };
}

/** With TCP keepalives each second, as no idle limit is to count them. */
function tcp(host: string, port: number, localAddress?: string): Socket {
  return connectTcp({ host, port, localAddress, noDelay: true, keepAlive: true, keepAliveInitialDelay: 1_000 });
}

function namesOf(certificate: { subjectaltname?: string }): string[] {
  return (certificate.subjectaltname ?? '').split(', ').map(name => name.replace(/^DNS:/, ''));
}

/** Controllers that open TLS answer in HTTP. */
function parse(line: string | undefined): Answer | undefined {
  return line?.startsWith('{') ? JSON.parse(line) : undefined;
}
