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
 * - `closed`: the other side ended the connection, without an answer or in the middle of it
 * - `alert`: the other side refused by a TLS alert
 * - `not-tls`: the other side speaks something else
 */
export interface ConnectionFailure {
  readonly failure: 'refused' | 'unreachable' | 'silent' | 'stalled' | 'closed' | 'alert' | 'not-tls';
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
  return new Promise(resolve => {
    const deadline = new Deadline(timeoutMs);
    const socket = connectTcp({ ...address, signal: deadline.signal });
    socket.once('connect', () => resolve({ socket, deadline }));
    socket.on('error', error => resolve(deadline.isOver
      ? { failure: 'silent', detail: `${deadline} to a TCP connection: something drops its packets` }
      : failureOf(error, 'closed the connection')));
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
      resolve(deadline.isOver ? lateHandshake(raw, deadline) : failureOf(error, endOfHandshake(raw, error)));
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

export function isFailure(value: object): value is ConnectionFailure {
  return 'failure' in value;
}

function lateHandshake({ bytesRead }: Socket, deadline: Deadline): ConnectionFailure {
  return bytesRead === 0
    ? { failure: 'silent', detail: `takes the connection, but ${deadline} to the TLS handshake` }
    : { failure: 'stalled', detail: `begins to answer, but does not finish the TLS handshake within ${deadline.duration} (${bytesRead} bytes came)` };
}

/** Node.js gives both a FIN and a reset the same code; only the latter comes from a system call. */
function endOfHandshake({ bytesRead }: Socket, error?: NodeJS.ErrnoException): string {
  const verb = error?.syscall === undefined ? 'closed' : 'reset';
  return bytesRead === 0 ? `${verb} the connection without an answer to the TLS handshake` : `${verb} the connection in the middle of the TLS handshake`;
}

function failureOf(error: NodeJS.ErrnoException | undefined, ended: string): ConnectionFailure {
  const code = error?.code ?? '';
  // The kernel's own limit may be shorter than the doctor's.
  if (code === 'ETIMEDOUT') return { failure: 'silent', detail: 'no answer at all (ETIMEDOUT): something drops its packets' };
  if (code === 'ECONNREFUSED') return { failure: 'refused', detail: 'connection refused: nothing listens there' };
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) {
    return { failure: 'unreachable', detail: `no route to it (${code})` };
  }
  if (['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_UNKNOWN_PROTOCOL',
    'ERR_SSL_RECORD_LAYER_FAILURE'].includes(code)) {
    return { failure: 'not-tls', detail: `answers with something that is not TLS (${code})` };
  }
  const alert = /ALERT_([A-Z_]+)|TLSV1_(UNRECOGNIZED_NAME)/.exec(code);
  if (alert) return { failure: 'alert', detail: `TLS alert: ${(alert[1] ?? alert[2]).toLowerCase().replace(/_/g, ' ')}` };
  if (error === undefined || code === 'ECONNRESET' || code === 'EPIPE') return { failure: 'closed', detail: ended };
  return { failure: 'closed', detail: error.message };
}
