import { createSecureServer, Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'http2';
import { TLSSocket } from 'tls';
import { Exposure } from '../src';
import { keep } from '../test/data-path/support/parts';
import { freePorts } from '../test/data-path/support/ports';
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
  const [port] = await freePorts(1);
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  keep({ stop: () => closeAll(server) });
  return { port, ca, token, administrator: await ca.issue({ commonName: ADMINISTRATOR, organization: 'system:masters', keyType: 'ecdsa' }) };
}

function answer(token: string, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
  const certificate = socket.getPeerCertificate();
  const username = request.headers.authorization === `Bearer ${token}` ? SERVICE_ACCOUNT
    : certificate?.subject ? String(certificate.subject.CN) : 'system:anonymous';
  request.resume();
  const isReview = request.url === REVIEWS;
  response.writeHead(!isReview ? 200 : username === 'system:anonymous' ? 401 : 201, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isReview ? { status: { userInfo: { username } } } : { standIn: true, username }));
}

function closeAll(server: Http2SecureServer): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    // Connections that HAProxy keeps for its checks.
    setImmediate(() => resolve());
  });
}
