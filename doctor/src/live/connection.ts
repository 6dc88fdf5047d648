import { X509Certificate } from 'crypto';
import { connect as connectTcp, Socket } from 'net';
import { connect as connectTls, TLSSocket } from 'tls';
import { Deadline } from './deadline';
import { HostPort } from './target';

/**
 * Why there is no connection.
 *
 * - `refused`: nothing listens
 * - `unreachable`: no route, or no address
 * - `silent`: not a byte came back in time
 * - `stalled`: an answer began and did not go on in time
 * - `closed`: the other side ended the connection without an answer
 * - `alert`: its first answer was a TLS alert that says: not for this client
 * - `cut`: it began to answer, and then ended the connection or sent an alert
 * - `not-tls`: the other side speaks something else
 * - `other`: anything else, such as a limit of this machine
 */
export interface ConnectionFailure {
  readonly failure: 'refused' | 'unreachable' | 'silent' | 'stalled' | 'closed' | 'alert' | 'cut' | 'not-tls' | 'other';
  readonly detail: string;
}

export interface TlsConnection {
  readonly socket: TLSSocket;
  readonly certificate: X509Certificate;
  /** Ends the connection; what fails after it failed because of it. */
  readonly deadline: Deadline;
  readonly alpn?: string;
  /** OpenSSL's complaint about the chain, e.g. `CERT_HAS_EXPIRED`; undefined when the CA vouches for it. */
  readonly chainError?: string;
}

/** A TCP connection and the time it has. */
export interface TcpConnection {
  readonly socket: Socket;
  readonly deadline: Deadline;
}

export interface TlsOptions {
  /** @default - no SNI */
  readonly serverName?: string;
  /** @default - h2 and http/1.1 */
  readonly alpn?: string[];
  readonly ca?: string;
  /** Bytes before the ClientHello. */
  readonly preface?: (socket: Socket) => Buffer;
  readonly timeoutMs: number;
}

/**
 * Opens a TCP connection. It is torn down when the time is over, whatever happens on it: an endpoint that sends a byte
 * now and then cannot keep it.
 */
export function openTcp(address: HostPort, timeoutMs: number): Promise<TcpConnection | ConnectionFailure> {
  if (!isPort(address.port)) return Promise.resolve({ failure: 'other', detail: `there is no port ${address.port}` });
  return new Promise(resolve => {
    const deadline = new Deadline(timeoutMs);
    const socket = connectTcp({ ...address, signal: deadline.signal });
    socket.once('connect', () => resolve({ socket, deadline }));
    socket.on('error', error => resolve(deadline.isOver
      ? { failure: 'silent', detail: `${deadline} to a TCP connection: something drops its packets` }
      : failureOf(error)));
  });
}

/** Opens a TLS connection and verifies nothing: what the other side shows is the finding. */
export async function openTls(address: HostPort, options: TlsOptions): Promise<TlsConnection | ConnectionFailure> {
  const tcp = await openTcp(address, options.timeoutMs);
  if (isFailure(tcp)) return tcp;
  const { socket: raw, deadline } = tcp;
  if (options.preface) raw.write(options.preface(raw));
  return new Promise(resolve => {
    const socket = connectTls({
      socket: raw,
      servername: options.serverName ?? '',
      ALPNProtocols: options.alpn ?? ['h2', 'http/1.1'],
      ca: options.ca,
      rejectUnauthorized: false,
      // Names are a hop of their own; with this, `authorizationError` is about the chain alone.
      checkServerIdentity: () => undefined,
    });
    const fail = (error?: NodeJS.ErrnoException) => {
      // The deadline closes the socket itself, which looks like the other side's doing.
      resolve(deadline.isOver ? lateHandshake(raw, deadline) : handshakeFailure(raw, error));
      socket.destroy();
      raw.destroy();
    };
    raw.on('error', fail);
    socket.on('error', fail);
    socket.on('close', () => fail());
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate) {
        fail(new Error('shows no certificate'));
        return;
      }
      resolve({
        socket,
        certificate,
        deadline,
        alpn: socket.alpnProtocol || undefined,
        chainError: socket.authorized ? undefined : String(socket.authorizationError),
      });
    });
  });
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port <= 65_535;
}

export function isFailure(value: object): value is ConnectionFailure {
  return 'failure' in value;
}

function lateHandshake({ bytesRead }: Socket, deadline: Deadline): ConnectionFailure {
  return bytesRead === 0
    ? { failure: 'silent', detail: `takes the connection, but ${deadline} to the TLS handshake` }
    : { failure: 'stalled', detail: `begins to answer, but does not finish the TLS handshake within ${deadline.duration} (${bytesRead} bytes came)` };
}

/** Length of a record with an alert; whoever sent no more has not begun a handshake. */
const ALERT_BYTES = 7;
/** What servers send that have no such host. Other alerts come from one that has taken the client for its own, and dislikes something else. */
const REFUSING_ALERTS = ['unrecognized name', 'handshake failure', 'access denied', 'internal error'];
const FOREIGN_PROTOCOL = [
  'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_UNKNOWN_PROTOCOL', 'ERR_SSL_RECORD_LAYER_FAILURE',
];
const NO_ROUTE = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EINVAL'];
/** A firewall of this machine. */
const FORBIDDEN = ['EACCES', 'EPERM'];

function handshakeFailure({ bytesRead }: Socket, error?: NodeJS.ErrnoException): ConnectionFailure {
  const code = error?.code ?? '';
  const begun = bytesRead > ALERT_BYTES;
  if (FOREIGN_PROTOCOL.includes(code)) return { failure: 'not-tls', detail: `answers with something that is not TLS (${code})` };
  const alert = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13)_(?:ALERT_)?([A-Z_]+)$/.exec(code)?.[1].toLowerCase().replace(/_/g, ' ');
  if (alert !== undefined) {
    return begun
      ? { failure: 'cut', detail: `TLS alert in the middle of the handshake: ${alert}` }
      : { failure: REFUSING_ALERTS.includes(alert) ? 'alert' : 'cut', detail: `TLS alert: ${alert}` };
  }
  if (error !== undefined && code !== 'ECONNRESET' && code !== 'EPIPE') return failureOf(error);
  // Node.js gives both a FIN and a reset the same code; only the latter comes from a system call.
  const verb = error?.syscall === undefined ? 'closed' : 'reset';
  return begun
    ? { failure: 'cut', detail: `${verb} the connection in the middle of the TLS handshake` }
    : { failure: 'closed', detail: `${verb} the connection without an answer to the TLS handshake` };
}

function failureOf(error: NodeJS.ErrnoException): ConnectionFailure {
  const code = error.code ?? '';
  // The kernel's own limit may be shorter than the doctor's.
  if (code === 'ETIMEDOUT') return { failure: 'silent', detail: 'no answer at all (ETIMEDOUT): something drops its packets' };
  if (code === 'ECONNREFUSED') return { failure: 'refused', detail: 'connection refused: nothing listens there' };
  if (NO_ROUTE.includes(code)) return { failure: 'unreachable', detail: `no route to it (${code})` };
  if (FORBIDDEN.includes(code)) return { failure: 'unreachable', detail: `this machine does not let it through (${code})` };
  if (code === 'ECONNRESET') return { failure: 'closed', detail: 'reset the connection' };
  return { failure: 'other', detail: error.message };
}
