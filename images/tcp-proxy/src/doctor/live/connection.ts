import { X509Certificate } from 'crypto';
import { connect as connectTcp, Socket } from 'net';
import { connect as connectTls, TLSSocket } from 'tls';
import { HostPort } from './target';

/** Why there is no connection. */
export interface ConnectionFailure {
  /** `refused`: nothing listens. `silent`: no answer in time. `closed`: the other side closed or sent a TLS alert. */
  readonly failure: 'refused' | 'unreachable' | 'silent' | 'closed' | 'not-tls';
  readonly detail: string;
}

export interface TlsConnection {
  readonly socket: TLSSocket;
  readonly certificate: X509Certificate;
  readonly alpn?: string;
  /** OpenSSL's complaint about the chain, e.g. `CERT_HAS_EXPIRED`; undefined when the CA vouches for it. */
  readonly chainError?: string;
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
export function openTcp(address: HostPort, timeoutMs: number): Promise<Socket | ConnectionFailure> {
  return new Promise(resolve => {
    const socket = connectTcp({ ...address, signal: AbortSignal.timeout(timeoutMs) });
    socket.once('connect', () => resolve(socket));
    socket.on('error', error => resolve(failureOf(error, timeoutMs)));
  });
}

/** Opens a TLS connection and verifies nothing: what the other side shows is the finding. */
export async function openTls(address: HostPort, options: TlsOptions): Promise<TlsConnection | ConnectionFailure> {
  const raw = await openTcp(address, options.timeoutMs);
  if (isFailure(raw)) return raw;
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
    const fail = (error: Error) => {
      socket.destroy();
      resolve(failureOf(error, options.timeoutMs));
    };
    raw.on('error', fail);
    socket.on('error', fail);
    socket.on('close', () => resolve({ failure: 'closed', detail: 'closed the connection during the TLS handshake' }));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate) {
        fail(new Error('shows no certificate'));
        return;
      }
      resolve({
        socket,
        certificate,
        alpn: socket.alpnProtocol || undefined,
        chainError: socket.authorized ? undefined : String(socket.authorizationError),
      });
    });
  });
}

export function isFailure(value: object): value is ConnectionFailure {
  return 'failure' in value;
}

function failureOf(error: NodeJS.ErrnoException, timeoutMs: number): ConnectionFailure {
  const code = error.code ?? '';
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || code === 'ABORT_ERR' || code === 'ETIMEDOUT') {
    return { failure: 'silent', detail: `no answer within ${timeoutMs} ms` };
  }
  if (code === 'ECONNREFUSED') return { failure: 'refused', detail: 'connection refused: nothing listens there' };
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) {
    return { failure: 'unreachable', detail: `no route to it (${code})` };
  }
  if (['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_UNKNOWN_PROTOCOL',
    'ERR_SSL_RECORD_LAYER_FAILURE'].includes(code)) {
    return { failure: 'not-tls', detail: `answers with something that is not TLS (${code})` };
  }
  const alert = /ALERT_([A-Z_]+)|TLSV1_(UNRECOGNIZED_NAME)/.exec(code);
  if (alert) return { failure: 'closed', detail: `TLS alert: ${(alert[1] ?? alert[2]).toLowerCase().replace(/_/g, ' ')}` };
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return { failure: 'closed', detail: 'closed the connection during the TLS handshake' };
  }
  return { failure: 'closed', detail: error.message };
}
