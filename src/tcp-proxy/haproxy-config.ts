import { PROBE, SERVING_CERTIFICATE } from '../agent/contract/haproxy-names';
import { PROBE_SOCKET, TLS_FILES } from '../agent/contract/paths';
import { addGlobalSection, addHealthFrontend } from '../haproxy/agent-sockets';
import { HaproxyConfig } from '../haproxy/config';
import { addLimitTables, addSourceLimits, ConnectionLimits, processLimit } from '../haproxy/connection-limits';
import { Section, Word } from '../haproxy/section';
import { addSocketBuffers, SocketBuffers } from '../haproxy/socket-buffers';
import { addCheckTimeout, addInspectDelay, addResolving, addTimeouts, checkIntervalWords, deadPeerWords } from '../haproxy/timeouts';
import { addTunnelCertificate, tunnelServerWords } from '../haproxy/tunnel';
import { Endpoint } from '../model/endpoint';
import { IpFamily } from '../validation/ip-network';

/** Where the files of the proxy lie; the agent in the image is started with the same paths. */
export interface TcpProxyPaths {
  /** Folder of the sockets; writable. */
  readonly run: string;
  /** Folder with `tls.crt` and `tls.key`. */
  readonly tls: string;
  /** The tenant CA. */
  readonly ca: string;
}

/** How the proxy reaches the API server. */
export interface TcpProxyUpstreamConfig {
  readonly host: string;
  readonly port: number;
  /** `tls`: open TLS and start a new connection with SNI. `tcp`: pass the bytes. */
  readonly mode: 'tls' | 'tcp';
  /** The name that the upstream's certificate must carry, and the SNI of the health check. */
  readonly serverName: string;
  /** Put the tenant's ID in front of the connection, as a PROXY v2 header with this TLV. */
  readonly proxyProtocol?: { readonly tlvType: number; readonly clusterId: string };
  /** Pass the bytes in a TLS connection of the proxy's own, which asks for this name and shows the tenant's client certificate. */
  readonly tunnel?: { readonly serverName: string };
}

/** Everything that the configuration of one tcp-proxy depends on. */
export interface TcpProxyHaproxyOptions {
  readonly paths: TcpProxyPaths;
  readonly upstream: TcpProxyUpstreamConfig;
  /** Addresses to listen on; empty for all addresses of the given families. */
  readonly listenAddresses: string[];
  readonly families: IpFamily[];
  readonly listenPort: number;
  /** All frontends together. */
  readonly maxConnections: number;
  /** @default - none but `maxConnections` */
  readonly limits?: Omit<ConnectionLimits, 'frontends' | 'total'>;
  /** @default - the kernel's choice, up to some MiB */
  readonly socketBuffers?: SocketBuffers;
  readonly threads: number;
  /** HTTP/2 towards clients and API server. */
  readonly http2: boolean;
  /** Whether the upstream's name is in /etc/hosts, which HAProxy reads only when it starts. */
  readonly hostAliased: boolean;
  /** How long connections may stay on a worker that a reload has replaced. */
  readonly reloadGraceSeconds: number;
  readonly tunnelTimeoutSeconds: number;
}

/** Each may hold as many connections as the one that accepts them. */
export const MAX_OLD_WORKERS = 1;
const ANSWERED = 'proc.upstream_answered';

/**
 * The complete HAProxy configuration of a tcp-proxy.
 *
 * Facts about HAProxy in the comments are from its 3.0 configuration manual, and tried.
 */
export function tcpProxyHaproxyConfig(options: TcpProxyHaproxyOptions): HaproxyConfig {
  const config = new HaproxyConfig();
  addGlobal(config, options);
  addDefaults(config, options);
  addResolvers(config, options);
  if (options.upstream.mode === 'tls') {
    addTlsFrontend(config, options);
  } else {
    addTcpFrontend(config, options);
  }
  addProbe(config, options);
  addLimitTables(config, limitsOf(options));
  addHealthFrontend(config, {
    runFolder: options.paths.run,
    logs: false,
    readyIf: [`var(${ANSWERED}) -m bool`, `nbsrv(${PROBE.backend}) ge 1`, `nbsrv(${defaultBackend(options)}) ge 1`]
      .flatMap(condition => ['{', ...condition.split(' '), '}']),
  });
  return config;
}

function addGlobal(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  const { paths, reloadGraceSeconds } = options;
  const global = addGlobalSection(config, paths.run)
    .comment('The frontend refuses what is above the limits; the rest is for the agent.')
    .add('maxconn', processLimit(limitsOf(options)))
    .comment('By default there is one thread for each core of the node, and waking each other they cost CPU and memory.')
    .add('nbthread', options.threads)
    .comment('A changed CA takes a reload, which leaves a worker behind for its open connections: not for ever, and one at most.')
    .add('hard-stop-after', `${reloadGraceSeconds}s`)
    .add('mworker-max-reloads', MAX_OLD_WORKERS)
    .comment("HAProxy's own HTTP client, which nothing uses, would load the authorities of the system.")
    .add('httpclient.ssl.ca-file', paths.ca)
    .comment('Sessions are resumed by tickets; the shared cache would only take memory.')
    .add('tune.ssl.cachesize', 0)
    .add('ssl-default-bind-options', 'ssl-min-ver', 'TLSv1.2')
    .add('ssl-default-server-options', 'ssl-min-ver', 'TLSv1.2');
  addSocketBuffers(global, options.socketBuffers);
}

function addDefaults(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  const defaults = config.section('defaults')
    .add('mode', 'tcp');
  addTimeouts(defaults, options.tunnelTimeoutSeconds);
}

function addResolvers(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  if (!resolvesAtRunTime(options)) {
    return;
  }
  addResolving(config.section('resolvers', 'node').add('parse-resolv-conf'))
    .comment('A changed address is followed; while DNS fails, the last good address stays in use.')
    .add('hold', 'valid', '10s')
    .add('hold', 'obsolete', '0s')
    .add('hold', 'nx', '24h')
    .add('hold', 'timeout', '24h')
    .add('hold', 'refused', '24h')
    .add('hold', 'other', '24h');
}

/**
 * Opens TLS and starts it anew. A TLS client that got one protocol by ALPN speaks it to the API server, so
 * both connections must agree: each backend offers exactly what its client has chosen.
 */
function addTlsFrontend(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  const { paths, http2 } = options;
  config.section('crt-store', SERVING_CERTIFICATE.store)
    .add('load', 'crt', `${paths.tls}/${TLS_FILES.certificate}`, 'key', `${paths.tls}/${TLS_FILES.key}`, 'alias', SERVING_CERTIFICATE.alias);

  const protocols = http2 ? ['h2', 'http/1.1'] : ['http/1.1'];
  const frontend = addFrontend(config, options);
  for (const address of bindAddresses(options)) {
    frontend.add('bind', ...address, ...deadPeerWords(), 'ssl', 'crt', SERVING_CERTIFICATE.name, 'alpn', protocols.join(','));
  }
  for (const protocol of protocols) {
    frontend.add('use_backend', backendName(protocol), 'if', '{', 'ssl_fc_alpn', '-m', 'str', protocol, '}');
  }
  frontend.add('default_backend', defaultBackend(options));

  for (const protocol of [...protocols, undefined]) {
    config.section('backend', backendName(protocol))
      .add('server', 'upstream', ...serverAddress(options), ...deadPeerWords(), ...tlsToUpstream(options),
        ...(protocol ? ['alpn', protocol] : []));
  }
}

function addFrontend(config: HaproxyConfig, options: TcpProxyHaproxyOptions): Section {
  const frontend = config.section('frontend', 'api')
    .add('log', 'global')
    .add('log-format', '%[fc_src]:%[fc_src_port] %ft %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq ' +
      'error="%[bc_err_str]" tls="%[ssl_bc_err_str]"')
    .add('error-log-format', '%[fc_src]:%[fc_src_port] %ft error="%[fc_err_str]" tls="%[ssl_fc_err_str]"')
    .comment('Only what goes wrong is logged, and not what ends without a byte: a port scan or a health check of somebody else.')
    .add('option', 'dontlog-normal')
    .add('option', 'dontlognull');
  addSourceLimits(frontend, limitsOf(options), 'peer');
  return frontend;
}

function backendName(protocol?: string): string {
  return `upstream-${protocol?.replace('/', '-') ?? 'no-alpn'}`;
}

function defaultBackend(options: TcpProxyHaproxyOptions): string {
  return options.upstream.mode === 'tls' ? backendName() : 'upstream';
}

function addTcpFrontend(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  const frontend = addFrontend(config, options);
  for (const address of bindAddresses(options)) {
    frontend.add('bind', ...address, ...deadPeerWords());
  }
  frontend
    .comment('TLS clients speak first: a port scan or a probe of the port causes no connection upstream.');
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'accept', 'if', '{', 'req.len', 'gt', 0, '}')
    .add('tcp-request', 'content', 'reject')
    .add('default_backend', defaultBackend(options));
  const { upstream: { tunnel }, paths } = options;
  if (tunnel) {
    addTunnelCertificate(config, paths.run);
    config.section('frontend', 'probe-tunnel')
      .comment('HAProxy cannot check through TLS in TLS: this does the outer one.')
      .add('bind', `unix@${probeSocket(options)}`, 'mode', '600')
      .add('default_backend', defaultBackend(options));
  }
  config.section('backend', defaultBackend(options))
    .add('server', 'upstream', ...serverAddress(options), ...proxyHeader(options), ...deadPeerWords(), ...tunnel ? tunnelServerWords(paths.run, tunnel.serverName) : []);
}

function probeSocket({ paths }: TcpProxyHaproxyOptions): string {
  return `${paths.run}/${PROBE_SOCKET}`;
}

/**
 * The health check. It feeds readiness and metrics and takes no server away: with one upstream, a refused
 * health check must not turn a slow API server into an unreachable one.
 */
function addProbe(config: HaproxyConfig, options: TcpProxyHaproxyOptions): void {
  const { upstream } = options;
  const probe = config.section('backend', PROBE.backend)
    .add('option', 'httpchk')
    .add('http-check', 'send', 'meth', 'GET', 'uri', '/readyz', 'ver', 'HTTP/1.1', 'hdr', 'Host', upstream.serverName)
    .comment('401: an API server with --anonymous-auth=false answers, but does not tell.')
    .add('http-check', 'expect', 'status', '200,401')
    .comment('HAProxy takes a server for up until its first check has failed.')
    .add('http-check', `set-var(${ANSWERED})`, 'bool(true)');
  addCheckTimeout(probe)
    .comment('Without an address at the start, HAProxy would leave out the first check, and the next comes seconds later.')
    .add('server', PROBE.server, ...upstream.tunnel ? [`unix@${probeSocket(options)}`] : serverAddress(options, 'libc,none'), 'check', ...checkIntervalWords(),
      'check-ssl', 'check-sni', upstream.serverName, 'check-alpn', 'http/1.1',
      'verify', 'required', 'verifyhost', upstream.serverName, 'ca-file', options.paths.ca,
      ...(upstream.proxyProtocol ? ['check-send-proxy', ...proxyHeader(options)] : []));
}

function bindAddresses(options: TcpProxyHaproxyOptions): Word[][] {
  const { listenAddresses, listenPort, families } = options;
  if (listenAddresses.length > 0) {
    // The address may be added to the node a moment after HAProxy starts.
    return listenAddresses.map(address => [new Endpoint(address, listenPort).toString(), 'transparent']);
  }
  if (families.length === 2) {
    return [[`[::]:${listenPort}`, 'v4v6']];
  }
  return families[0] === 'ipv4' ? [[`0.0.0.0:${listenPort}`]] : [[`[::]:${listenPort}`, 'v6only']];
}

/**
 * The address of a server. A name is resolved by HAProxy itself: what libc finds and DNS does not know, such as
 * an entry in the node's hosts file, would be forgotten after `hold nx`.
 *
 * @param initAddr how an address is found before the first answer of DNS
 */
function serverAddress(options: TcpProxyHaproxyOptions, initAddr = 'none'): Word[] {
  const { host, port } = options.upstream;
  const address = new Endpoint(host, port).toString();
  return resolvesAtRunTime(options)
    ? [address, 'resolvers', 'node', 'resolve-prefer', options.families[0], 'init-addr', initAddr]
    : [address];
}

function resolvesAtRunTime(options: TcpProxyHaproxyOptions): boolean {
  return !options.hostAliased && !/^[\d.]+$|:/.test(options.upstream.host);
}

function tlsToUpstream(options: TcpProxyHaproxyOptions): Word[] {
  const { upstream, paths } = options;
  return ['ssl', 'verify', 'required', 'ca-file', paths.ca, 'sni', `str(${upstream.serverName})`, 'verifyhost', upstream.serverName];
}

function proxyHeader(options: TcpProxyHaproxyOptions): Word[] {
  const { proxyProtocol } = options.upstream;
  return proxyProtocol
    ? ['send-proxy-v2', `set-proxy-v2-tlv-fmt(0x${proxyProtocol.tlvType.toString(16)})`, literalFormat(proxyProtocol.clusterId)]
    : [];
}

/** A log-format string that gives the text as it is. */
function literalFormat(text: string): string {
  return text.replace(/%/g, '%%');
}

function limitsOf({ maxConnections, limits }: TcpProxyHaproxyOptions): ConnectionLimits {
  return { frontends: ['api'], total: maxConnections, ...limits };
}
