import { connect as connectHttp2 } from 'http2';
import { connect as connectTcp, Socket } from 'net';
import { connect, TLSSocket } from 'tls';
import { ApiServer } from './api-servers';
import { CertificatePair } from '../test/support/certificates';

const TIMEOUT_MS = 8_000;

/** What the API server takes a client without credentials for. */
export const NOBODY = 'nobody';

/** A connection of a client, and what it says on it. */
export interface Request {
  readonly port: number;
  /** SNI; undefined for none, as in a connection to an IP address. */
  readonly serverName?: string;
  /** The name that the certificate must carry. */
  readonly verifiedName: string;
  readonly apiServer: ApiServer;
  readonly certificate?: CertificatePair;
  readonly token?: string;
  /** What comes before TLS, e.g. a PROXY header. */
  readonly preamble?: Buffer;
}

export interface Answer {
  /** Whom the API server takes the client for; undefined when the connection did not get there. */
  readonly user?: string;
  readonly protocol?: string;
  readonly milliseconds: number;
  /** Why there is no answer. */
  readonly failure?: string;
}

/** Asks the API server who the client is. */
export async function whoAmI(request: Request): Promise<Answer> {
  const began = performance.now();
  const elapsed = () => Math.round(10 * (performance.now() - began)) / 10;
  try {
    const socket = await secure(request);
    const user = await selfSubjectReview(socket, request);
    return { user, protocol: String(socket.alpnProtocol), milliseconds: elapsed() };
  } catch (error) {
    return { failure: (error as Error).message, milliseconds: elapsed() };
  }
}

async function secure({ port, serverName, verifiedName, apiServer, certificate, preamble }: Request): Promise<TLSSocket> {
  const tcp = await new Promise<Socket>((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });
  if (preamble) {
    tcp.write(preamble);
  }
  return new Promise((resolve, reject) => {
    const socket = connect({
      socket: tcp,
      // An empty name sends none.
      servername: serverName ?? '',
      ca: apiServer.ca.certificate,
      cert: certificate?.certificate,
      key: certificate?.key,
      ALPNProtocols: ['h2'],
      checkServerIdentity: (_host, peer) => peer.subjectaltname?.includes(`DNS:${verifiedName}`)
        ? undefined : new Error(`the certificate is not for ${verifiedName}`),
    }, () => resolve(socket));
    socket.on('error', reject).on('close', () => reject(new Error('closed before TLS was up')));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
  });
}

function selfSubjectReview(socket: TLSSocket, { verifiedName, token }: Request): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${verifiedName}`, { createConnection: () => socket }).on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      'content-type': 'application/json',
      ...token && { authorization: `Bearer ${token}` },
    });
    let body = '';
    let status = 0;
    stream.on('response', headers => status = Number(headers[':status']))
      .on('error', reject)
      .setEncoding('utf8')
      .on('data', text => body += text)
      .on('end', () => {
        session.close();
        socket.destroy();
        if (status === 201) {
          resolve(JSON.parse(body).status.userInfo.username);
        } else if (status === 401 || status === 403) {
          resolve(NOBODY);
        } else {
          reject(new Error(`HTTP ${status}`));
        }
      });
    stream.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }));
  });
}
