import { once } from 'events';
import { connect, ConnectionOptions, TLSSocket } from 'tls';
import { ApiServer } from './api-server';
import { authority, startTcpProxy, TcpProxy, temporaryFolder } from './chain';
import { received } from './client';
import { Gateway, GatewayOptions, startGateway } from './gateway';
import { Ingress, startIngress } from './ingress';
import { keep } from './parts';
import { CertificateAuthority, CertificatePair } from '../../support/certificates';

/** The one name of all tunnels. */
export const TUNNEL_HOST = 'tunnel.k8s.example.com';
export const IN_CLUSTER_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

/** A tenant: its API server, which asks for client certificates, and what its tcp-proxy shows in the tunnel. */
export interface TunnelTenant {
  readonly name: string;
  readonly api: ApiServer;
  readonly pair: CertificatePair;
}

/** The whole way but the tcp-proxies: an ingress that knows nothing but SNI, the gateway behind it, two API servers. */
export interface TunnelEdge {
  /** Of the API servers and their clients. */
  readonly ca: CertificateAuthority;
  /** Of the tunnel's two ends. */
  readonly tunnelCa: CertificateAuthority;
  /** What the gateway shows in the tunnel. */
  readonly pair: CertificatePair;
  readonly gateway: Gateway;
  readonly ingress: Ingress;
  readonly a: TunnelTenant;
  readonly b: TunnelTenant;
}

/** What the way may differ in. */
export interface TunnelEdgeOptions extends GatewayOptions {
  readonly ticketKeys?: string;
  readonly proxyProtocolCidrs?: string[];
  /** What follows the port in a target. */
  readonly list?: string;
}

/** Starts it. */
export async function startTunnelEdge(options: TunnelEdgeOptions = {}): Promise<TunnelEdge> {
  const ca = await authority();
  const tunnelCa = await CertificateAuthority.create('tunnel', 'ecdsa');
  const tenant = async (name: string): Promise<TunnelTenant> => {
    const serving = await ca.issue({ commonName: 'kube-apiserver', sans: IN_CLUSTER_NAMES, keyType: 'ecdsa' });
    const api = await ApiServer.start({
      cert: serving.certificate, key: serving.key, ca: ca.certificate, requestCert: true, rejectUnauthorized: false,
    });
    return { name, api, pair: await clientCertificate(tunnelCa, name) };
  };
  const [a, b] = [await tenant('tenants.a'), await tenant('tenants.b')];
  const pair = await tunnelCa.issue({ commonName: TUNNEL_HOST, sans: [TUNNEL_HOST], keyType: 'ecdsa' });
  const gateway = await startGateway({
    tunnel: [a, b].map(({ name, api }) => `${name} ${serviceOf(name)}:${api.port}${options.list ?? ''}`),
    addresses: [a, b].map(({ name }) => `${serviceOf(name)} 127.0.0.1`),
    tunnelEnd: {
      pair,
      clientCa: tunnelCa.certificate,
      ticketKeys: options.ticketKeys,
      proxyProtocolCidrs: options.proxyProtocolCidrs,
    },
    ...options,
  });
  const ingress = await startIngress(await temporaryFolder(), { [TUNNEL_HOST]: gateway.tunnelPort });
  return { ca, tunnelCa, pair, gateway, ingress, a, b };
}

/** The Service of a tenant by its name in the tunnel. */
export function serviceOf(name: string): string {
  return `${name.split('.').reverse().join('.')}.svc.cluster.local`;
}

export function clientCertificate(ca: CertificateAuthority, name: string, notAfter?: Date): Promise<CertificatePair> {
  return ca.issue({ commonName: name, keyType: 'ecdsa', notAfter });
}

/** Starts the tcp-proxy of a tenant. */
export function startTunnelProxy(edge: TunnelEdge, pair: CertificatePair): Promise<TcpProxy> {
  return startTcpProxy({
    ca: edge.ca,
    tunnel: { pair, ca: edge.tunnelCa.certificate },
    upstream: { port: edge.ingress.port, mode: 'tcp', serverName: 'kubernetes', tunnel: { serverName: TUNNEL_HOST } },
  });
}

/** What opens the outer TLS as a tcp-proxy does, or differently. */
export async function openTunnel(
  edge: Pick<TunnelEdge, 'tunnelCa' | 'gateway'>, options: ConnectionOptions & { readonly pair?: CertificatePair },
): Promise<TLSSocket> {
  const { pair, ...more } = options;
  const socket = connect({
    host: '127.0.0.1',
    port: edge.gateway.tunnelPort,
    servername: TUNNEL_HOST,
    ca: edge.tunnelCa.certificate,
    cert: pair?.certificate,
    key: pair?.key,
    maxVersion: 'TLSv1.2',
    ...more,
  });
  keep({ stop: () => void socket.destroy() });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** Asks the API server at the other end of a tunnel for a path; empty when it is closed instead. */
export async function askThrough(tunnel: TLSSocket, ca: CertificateAuthority, options: ConnectionOptions = {}): Promise<string> {
  const inner = connect({ socket: tunnel, servername: 'kubernetes', ca: ca.certificate, ...options });
  keep({ stop: () => void inner.destroy() });
  inner.on('error', () => undefined);
  inner.write('GET /asked HTTP/1.1\r\nHost: kubernetes\r\nConnection: close\r\n\r\n');
  const answer = received(inner);
  if (!inner.closed) {
    await once(inner, 'close').catch(() => undefined);
  }
  return answer.text;
}
