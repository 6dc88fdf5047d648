import { createSecureServer, Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'http2';
import { TLSSocket } from 'tls';
import { freePortRange } from './ports';
import { Exposure } from '../src';
import { keep } from '../test/data-path/support/parts';
import { Cluster } from '../test/e2e/support/cluster';
import { CertificateAuthority, CertificatePair } from '../test/support/certificates';

/** A tenant's API server and what its clients have. */
export interface ApiServer {
  readonly port: number;
  readonly ca: CertificateAuthority;
  /** Client certificate of an administrator. */
  readonly administrator: CertificatePair;
  /** Token of a service account. */
  readonly token: string;
}

export const ADMINISTRATOR = 'alice';
export const SERVICE_ACCOUNT = 'system:serviceaccount:default:client';
const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Whether real API servers are at hand. */
export function haveRealApiServers(): boolean {
  return process.env.KUBEBUILDER_ASSETS !== undefined;
}

/** A kube-apiserver with its etcd. */
export async function startRealApiServer(exposure: Exposure): Promise<ApiServer> {
  const cluster = await Cluster.start({ behindIngress: false, exposure });
  await cluster.kubectl(['create', 'serviceaccount', 'client', '--namespace=default']);
  return {
    port: cluster.port,
    ca: cluster.ca,
    administrator: await cluster.ca.issue({ commonName: ADMINISTRATOR, organization: 'system:masters', keyType: 'ecdsa' }),
    token: await cluster.token('default', 'client'),
  };
}

/** A TLS server that tells who its client is, as far as that needs no Kubernetes. */
export async function startStandIn(exposure: Exposure): Promise<ApiServer> {
  const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
  const { certificate, key } = await ca.issue({ commonName: 'kube-apiserver', sans: exposure.certSans, keyType: 'ecdsa' });
  const token = `token-of-${exposure.name}`;
  const server = createSecureServer({ cert: certificate, key, ca: ca.certificate, allowHTTP1: true, requestCert: true, rejectUnauthorized: false });
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => answer(token, request, response));
  const [port] = await freePortRange(1);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  keep({ stop: () => closeAll(server) });
  return { port, ca, token, administrator: await ca.issue({ commonName: ADMINISTRATOR, organization: 'system:masters', keyType: 'ecdsa' }) };
}

function answer(token: string, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
  const certificate = socket.getPeerCertificate();
  const username = request.headers.authorization === `Bearer ${token}` ? SERVICE_ACCOUNT
    : certificate?.subject ? String(certificate.subject.CN) : 'system:anonymous';
  request.resume();
  const anonymous = username === 'system:anonymous';
  switch (request.url) {
    case REVIEWS: return anonymous ? reply(response, 401, failure(401, 'Unauthorized')) : reply(response, 201, { status: { userInfo: { username } } });
    case '/version': return reply(response, 200, { major: '1', minor: '32', gitVersion: 'v1.32.0-stand-in' });
    case '/readyz': return reply(response, 200, 'ok');
    default: return anonymous ? reply(response, 403, failure(403, 'Forbidden')) : reply(response, 404, failure(404, 'NotFound'));
  }
}

/** As an API server says no. */
function failure(code: number, reason: string): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code };
}

function reply(response: Http2ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function closeAll(server: Http2SecureServer): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    // Connections that HAProxy keeps for its checks.
    setImmediate(() => resolve());
  });
}
