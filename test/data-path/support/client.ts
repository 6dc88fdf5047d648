import { once } from 'events';
import { connect as connectHttp2, ClientHttp2Session } from 'http2';
import { Agent, request as httpsRequest } from 'https';
import { Duplex } from 'stream';
import { connect, ConnectionOptions, TLSSocket } from 'tls';
import { keep } from './parts';
import { CertificateAuthority } from '../../support/certificates';

/** What a client in the cluster needs to know. */
export interface Target {
  readonly port: number;
  readonly ca: CertificateAuthority;
}

/** Opens TLS as an in-cluster client does, and waits for the handshake. */
export async function connectTls(target: Target, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ ...addressOf(target), ...options });
  keep({ stop: () => void socket.destroy() });
  // A socket without a listener for errors would end the test run.
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** Opens an HTTP/2 session. */
export async function connectH2(target: Target, options: ConnectionOptions = {}): Promise<ClientHttp2Session> {
  const session = connectHttp2('https://kubernetes', {
    createConnection: () => connect({ ...addressOf(target), ALPNProtocols: ['h2'], ...options }),
  });
  keep({ stop: () => void session.destroy() });
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

/** Sends one HTTP/1.1 request on a connection of its own and returns status and body. */
export function get(target: Target, path: string, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    httpsRequest({ ...addressOf(target), path, agent: new Agent({ keepAlive: false }), ...options } as object, response => {
      let body = '';
      response.setEncoding('utf8').on('data', text => body += text).on('end', () => resolve(`${response.statusCode} ${body}`));
    }).on('error', reject).end();
  });
}

/** Sends one HTTP/2 request and returns status and body. */
export function getH2(session: ClientHttp2Session, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path });
    let status: unknown;
    let body = '';
    stream.on('response', headers => status = headers[':status'])
      .setEncoding('utf8')
      .on('data', text => body += text)
      .on('end', () => resolve(`${status} ${body}`))
      .on('error', reject);
  });
}

/** Collects what a socket receives. */
export function received(socket: NodeJS.ReadableStream): { readonly text: string } {
  const collected = { text: '' };
  socket.on('data', chunk => collected.text += chunk);
  return collected;
}

/** Waits for the end of a connection, by whatever way. */
export function ended(socket: Duplex): Promise<void> {
  return socket.closed || socket.readableEnded
    ? Promise.resolve()
    : new Promise(resolve => socket.resume().once('end', resolve).once('close', resolve));
}

function addressOf({ port, ca }: Target): ConnectionOptions {
  return { host: '127.0.0.1', port, servername: 'kubernetes', ca: ca.certificate };
}
