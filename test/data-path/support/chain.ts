import { mkdir, mkdtemp, rm, writeFile } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { TlsOptions } from 'tls';
import { ApiServer } from './api-server';
import { HaproxyProcess, Inside } from './haproxy-process';
import { startIngress } from './ingress';
import { keep } from './parts';
import { CA_FILE, TLS_FILES, TUNNEL_FOLDER } from '../../../src/agent/contract/paths';
import { tcpProxyHaproxyConfig, TcpProxyHaproxyOptions, TcpProxyUpstreamConfig } from '../../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy } from '../../../src/tcp-proxy/settings';
import { CertificateAuthority, CertificatePair, IssueOptions } from '../../support/certificates';
import { freePorts } from '../../support/ports';

/** The public host of the tenant's API server. */
export const API_HOST = 'tenant-01.k8s.example.com';
const IN_CLUSTER_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

/** What a tcp-proxy may differ in. */
export interface TcpProxyOptions {
  readonly ca: CertificateAuthority;
  readonly upstream: Partial<TcpProxyUpstreamConfig> & Pick<TcpProxyUpstreamConfig, 'port'>;
  /** @default - issued by the CA for the in-cluster names */
  readonly serving?: CertificatePair;
  /** Client certificate in the tunnel, and the authorities of its other end. @default - none */
  readonly tunnel?: { readonly pair: CertificatePair; readonly ca: string };
  /** What a user says of the proxy. @default - nothing: the library's defaults */
  readonly settings?: Parameters<typeof resolveTcpProxy>[0];
  /** Options of the renderer that are not as the library has them. */
  readonly config?: Partial<TcpProxyHaproxyOptions>;
  /** Text to replace in the rendered configuration, e.g. to shorten times. Each must be there. */
  readonly replace?: { [text: string]: string };
  /** The network namespace to run in. @default - that of the test */
  readonly inside?: Inside;
}

/** A running tcp-proxy. */
export interface TcpProxy {
  readonly haproxy: HaproxyProcess;
  readonly port: number;
  /** Folder with the sockets and the files of the proxy. */
  readonly folder: string;
}

/** Starts a tcp-proxy with the configuration of the library. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const folder = await temporaryFolder();
  const [port] = await freePorts(1);
  const serving = options.serving ?? await options.ca.issue({ commonName: 'tcp-proxy', sans: IN_CLUSTER_NAMES, keyType: 'ecdsa' });
  await writeFile(join(folder, 'tls.crt'), serving.certificate);
  await writeFile(join(folder, 'tls.key'), serving.key);
  await writeFile(join(folder, 'ca.crt'), options.ca.certificate);
  if (options.tunnel) {
    await writeTunnelFiles(folder, options.tunnel.pair, options.tunnel.ca);
  }
  const upstream = { host: '127.0.0.1', mode: 'tls' as const, serverName: API_HOST, ...options.upstream };
  let text = tcpProxyHaproxyConfig({
    ...resolveTcpProxy(options.settings ?? {}, upstream.mode).haproxy,
    paths: { run: folder, tls: folder, ca: join(folder, 'ca.crt') },
    upstream,
    listenAddresses: ['127.0.0.1'],
    families: ['ipv4'],
    listenPort: port,
    hostAliased: false,
    ...options.config,
  }).render();
  for (const [from, to] of Object.entries(options.replace ?? {})) {
    if (!text.includes(from)) {
      throw new Error(`the configuration has no "${from}" that could be replaced`);
    }
    text = text.split(from).join(to);
  }
  return { haproxy: await HaproxyProcess.start(folder, 'tcp-proxy', text, options.inside), port, folder };
}

/** The files of a tunnel, as the agent of either side accepts them. */
export async function writeTunnelFiles(runFolder: string, pair: CertificatePair, ca: string): Promise<void> {
  const folder = join(runFolder, TUNNEL_FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, TLS_FILES.certificate), pair.certificate);
  await writeFile(join(folder, TLS_FILES.key), pair.key);
  await writeFile(join(folder, CA_FILE), ca);
}

/** What a chain may differ in. */
export interface ChainOptions {
  /** Protocols of the API server; empty for one without ALPN. */
  readonly protocols?: string[];
  /** The API server's certificate. */
  readonly apiCertificate?: Partial<IssueOptions>;
  /** More options of the API server, e.g. to ask for client certificates. */
  readonly apiTls?: TlsOptions;
  /** Status of the API server's `/readyz`. @default 200 */
  readonly readyz?: number;
  /** The CA of the API server. @default - the one that the proxy trusts */
  readonly apiCa?: CertificateAuthority;
  readonly proxy?: Partial<Omit<TcpProxyOptions, 'upstream'>> & { readonly upstream?: Partial<TcpProxyUpstreamConfig> };
}

/** A client's whole way: tcp-proxy, ingress with SNI passthrough, API server. */
export interface Chain extends TcpProxy {
  readonly ca: CertificateAuthority;
  readonly ingressPort: number;
  readonly api: ApiServer;
}

/** Starts a chain and waits until the proxy listens; not until it is ready. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const ca = options.proxy?.ca ?? await authority();
  const pair = await (options.apiCa ?? ca).issue({
    commonName: 'kube-apiserver', sans: [API_HOST, ...IN_CLUSTER_NAMES], keyType: 'ecdsa', ...options.apiCertificate,
  });
  const api = await ApiServer.start({ cert: pair.certificate, key: pair.key, ...options.apiTls }, options.protocols);
  api.readyz = options.readyz ?? api.readyz;
  const ingress = await startIngress(await temporaryFolder(), { [API_HOST]: api.port });
  const proxy = await startTcpProxy({ ca, ...options.proxy, upstream: { ...options.proxy?.upstream, port: ingress.port } });
  return { ...proxy, ca, ingressPort: ingress.port, api };
}

let shared: Promise<CertificateAuthority> | undefined;

/** A CA that all tests of a file share: making one takes time. */
export function authority(): Promise<CertificateAuthority> {
  return shared ??= CertificateAuthority.create('kubernetes', 'ecdsa');
}

/** A folder that is removed with the parts. Its path is short, as those of Unix sockets must be. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dp-'));
  keep({ stop: () => rm(folder, { recursive: true, force: true }) });
  return folder;
}
