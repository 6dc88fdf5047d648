import { prefixLengths } from './allowed-sources';
import { TENANT_SERVER } from '../agent/contract/haproxy-names';
import { MAPS_FOLDER } from '../agent/contract/paths';
import { ADDRESS_TABLE, mapFile, RoutingTable, TARGET_FIELDS } from '../agent/contract/routing-tables';
import { addGlobalSection, addHealthFrontend } from '../haproxy/agent-sockets';
import { HaproxyConfig } from '../haproxy/config';
import { addFrontendLimit, addLimitTables, addSourceLimits, addTenantLimit, ConnectionLimits, processLimit } from '../haproxy/connection-limits';
import { Section, Word } from '../haproxy/section';
import { addSocketBuffers, SocketBuffers } from '../haproxy/socket-buffers';
import { addInspectDelay, addResolving, addTimeouts, deadPeerWords } from '../haproxy/timeouts';
import { addTunnelCertificate, addTunnelGlobals, tunnelBindWords, TUNNEL_SHARE, TunnelHaproxyOptions } from '../haproxy/tunnel';
import { Endpoint } from '../model/endpoint';
import type { PortRange } from '../model/port-range';

/** Everything that the configuration of a shared gateway depends on. It holds no tenant: those are in maps. */
export interface GatewayHaproxyOptions {
  /** Folder of the sockets and, in `maps/`, of the maps; writable. The agent in the image gets the same path. */
  readonly runFolder: string;
  readonly listenAddresses: string[];
  /** Port that routes on the SNI host. */
  readonly sniPort: number;
  /** Port that routes on the cluster ID in the PROXY header; undefined for none. */
  readonly clusterIdPort?: number;
  readonly tlvType: number;
  /** Ports that lead to one tenant each; undefined for none. */
  readonly portRange?: PortRange;
  /** Networks of load balancers that put a PROXY header in front of connections to these ports. */
  readonly portLoadBalancerCidrs?: string[];
  /** Port at which tenants have IPv6 addresses of their own; undefined for none. */
  readonly addressPort?: number;
  /** Where tunnels of tenants' proxies end; undefined for none. */
  readonly tunnel?: TunnelHaproxyOptions;
  /** Networks that may connect to the cluster ID port; undefined for everyone. */
  readonly proxyCidrs?: string[];
  /** Networks of load balancers that put a PROXY header in front of connections to the SNI port. */
  readonly loadBalancerCidrs?: string[];
  /** DNS servers of the cluster; undefined for those of /etc/resolv.conf. */
  readonly nameservers?: Endpoint[];
  /** All frontends together. */
  readonly maxConnections: number;
  /** @default - none but `maxConnections` */
  readonly limits?: Omit<ConnectionLimits, 'frontends' | 'total'>;
  /** @default - the kernel's choice, up to some MiB */
  readonly socketBuffers?: SocketBuffers;
  readonly threads: number;
  readonly tunnelTimeoutSeconds: number;
  /** How long connections may stay on a worker that a reload has replaced. */
  readonly reloadGraceSeconds: number;
}

const LOG_FORMAT = '%[fc_src]:%[fc_src_port] source=%[var(txn.source)] frontend=%f tenant=%[var(txn.tenant)] ' +
  'target=%[var(txn.target)] address=%[var(txn.address)] ended=%ts times=%Tw/%Tc/%Tt bytes=%B connections=%ac error="%[bc_err_str]"';
const ERROR_LOG_FORMAT = '%[fc_src]:%[fc_src_port] frontend=%f error="%[fc_err_str]"';
/** What follows where TLS is opened. */
const TLS_LOG_FORMAT = { log: ' tls=%sslv resumed=%[ssl_fc_is_resumed] expires=%[ssl_c_notafter]', error: ' tls="%[ssl_fc_err_str]"' };
/** Longest name in DNS, and more than the longest cluster ID. */
const LONGEST_NAME = 253;
/** More workers than this are never waited for; the oldest one's connections are cut. */
const MAX_OLD_WORKERS = 10;

/**
 * The complete HAProxy configuration of a shared gateway.
 *
 * Tenants are entries of maps, which change on the runtime socket without a reload: host, cluster ID, port or address give the target,
 * `<service name>:<port>` and maybe `:<list>` of allowed sources; the service name gives the address, from the agent's
 * map or else from DNS. Then `set-dst` makes the connection's destination of it and the one server, which has no address
 * of its own, connects there. Whatever is not found ends the connection.
 *
 * Facts about HAProxy in the comments are from its 3.0 configuration manual, and tried.
 */
export function gatewayHaproxyConfig(options: GatewayHaproxyOptions): HaproxyConfig {
  const config = new HaproxyConfig();
  addGlobal(config, options);
  addDefaults(config, options);
  addResolvers(config, options);
  addSniFrontend(config, options);
  if (options.clusterIdPort !== undefined) {
    addClusterIdFrontend(config, options, options.clusterIdPort);
  }
  if (options.portRange) {
    addPortFrontend(config, options, options.portRange);
  }
  if (options.addressPort !== undefined) {
    addAddressFrontend(config, options, options.addressPort);
  }
  if (options.tunnel) {
    addTunnelFrontend(config, options, options.tunnel);
  }
  addTenants(config, options);
  addLimitTables(config, limitsOf(options));
  addHealthFrontend(config, { runFolder: options.runFolder, logs: true, readyIf: [] });
  return config;
}

function addGlobal(config: HaproxyConfig, options: GatewayHaproxyOptions): void {
  const global = addGlobalSection(config, options.runFolder)
    .comment('The frontends refuse what is above the limits; the rest is for the agent.')
    .add('maxconn', processLimit(limitsOf(options)))
    .add('nbthread', options.threads)
    .comment('A reload leaves a worker behind for its open connections: not for ever, and not any number of them.')
    .add('hard-stop-after', `${options.reloadGraceSeconds}s`)
    .add('mworker-max-reloads', MAX_OLD_WORKERS);
  if (options.tunnel) {
    addTunnelGlobals(global, options.threads);
  }
  addSocketBuffers(global, options.socketBuffers);
}

function addDefaults(config: HaproxyConfig, { tunnelTimeoutSeconds }: GatewayHaproxyOptions): void {
  const defaults = config.section('defaults')
    .add('mode', 'tcp')
    .add('log', 'global')
    .comment('A connection that ends without a byte is a port scan or a health check of a load balancer.')
    .add('option', 'dontlognull');
  addTimeouts(defaults, tunnelTimeoutSeconds);
}

function addResolvers(config: HaproxyConfig, { nameservers }: GatewayHaproxyOptions): void {
  const section = config.section('resolvers', 'cluster');
  if (nameservers) {
    nameservers.forEach((nameserver, i) => section.add('nameserver', `dns-${i}`, nameserver.toString()));
  } else {
    section.add('parse-resolv-conf');
  }
  addResolving(section, 'A client waits meanwhile.');
}

function addSniFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions): void {
  const { sniPort, loadBalancerCidrs } = options;
  const frontend = addFrontend(config, options, 'sni', sniPort);
  addLoadBalancer(frontend, loadBalancerCidrs);
  addSourceLimits(frontend, limitsOf(options), loadBalancerCidrs ? 'header' : 'peer');
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'set-var(txn.source)', loadBalancerCidrs ? 'src' : 'fc_src');
  addTenantName(frontend, 'req.ssl_sni,lower');
  frontend
    .add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.tenant),${lookup(options, 'hosts')}`)
    .comment('Waits until the ClientHello is complete, which may take several packets.')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}', '{', 'req.ssl_hello_type', 1, '}')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}');
  addDestination(frontend, options);
}

function addClusterIdFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, port: number): void {
  const { proxyCidrs, tlvType, loadBalancerCidrs } = options;
  const frontend = addFrontend(config, options, 'cluster-id', port, 'accept-proxy');
  if (proxyCidrs) {
    proxyCidrs.forEach(cidr => frontend.add('acl', 'tenant-proxy', 'src', cidr));
    frontend.add('tcp-request', 'connection', 'reject', 'if', '!tenant-proxy');
  }
  addSourceLimits(frontend, limitsOf(options), 'peer', loadBalancerCidrs);
  addInspectDelay(frontend)
    .comment('The address of the TCP connection: the one in the PROXY header is whatever the sender says.')
    .add('tcp-request', 'content', 'set-var(txn.source)', 'fc_src');
  addTenantName(frontend, `fc_pp_tlv(0x${tlvType.toString(16)}),regsub(\\x00[\\s\\S]*,)`);
  frontend
    .add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.tenant),${lookup(options, 'cluster-ids')}`)
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}');
  addTlsAlone(frontend);
  addDestination(frontend, options);
}

/**
 * Takes the name of a tenant from what a client sent. It is a key of the maps and goes to the log, so it has the
 * characters of host names and cluster IDs or is none: a line break in it would make a record of its own.
 */
function addTenantName(frontend: Section, name: string): void {
  frontend
    .comment('By way of a variable: a condition on fc_pp_tlv itself ends the process (HAProxy 3.0.11).')
    .add('tcp-request', 'content', 'set-var(txn.name)', name)
    .add('tcp-request', 'content', 'set-var(txn.tenant)', 'var(txn.name)', 'if',
      '{', 'var(txn.name)', '-m', 'len', 'le', LONGEST_NAME, '}', '!{', 'var(txn.name)', '-m', 'reg', '[^a-zA-Z0-9._-]', '}');
}

function addPortFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, { first, last }: PortRange): void {
  const { portLoadBalancerCidrs: loadBalancerCidrs } = options;
  const frontend = addFrontend(config, options, 'port', `${first}-${last}`);
  addLoadBalancer(frontend, loadBalancerCidrs);
  if (loadBalancerCidrs) {
    addSourceLimits(frontend, limitsOf(options), 'header');
  } else {
    addSourceLimits(frontend, limitsOf(options), 'peer', options.loadBalancerCidrs);
  }
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'set-var(txn.source)', loadBalancerCidrs ? 'src' : 'fc_src')
    .comment('The port that was connected to, whatever a PROXY header says; as text, which HAProxy finds in a tree and numbers in a list.')
    .add('tcp-request', 'content', 'set-var(txn.tenant)', 'fc_dst_port')
    .add('tcp-request', 'content', 'set-var(txn.target)', `fc_dst_port,${lookup(options, 'ports')}`)
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}');
  addTlsAlone(frontend);
  addDestination(frontend, options);
}

/**
 * Connections to addresses of tenants are routed to the node and so to no load balancer: there is no PROXY header, and
 * the address is the one that the client connected to.
 */
function addAddressFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, port: number): void {
  const frontend = addFrontend(config, { ...options, listenAddresses: ['::'] }, 'address', port);
  addSourceLimits(frontend, limitsOf(options), 'peer');
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'set-var(txn.source)', 'fc_src')
    .add('tcp-request', 'content', 'set-var(txn.tenant)', 'fc_dst')
    .add('tcp-request', 'content', 'set-var(txn.target)', `fc_dst,${lookup(options, 'destinations', 'ip')}`)
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}');
  addTlsAlone(frontend);
  addDestination(frontend, options);
}

function addTlsAlone(frontend: Section): void {
  frontend
    .comment('Waits for the first byte of TLS: silence or another protocol never reaches an API server.')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'req.payload(0,1)', '-m', 'bin', '16', '}');
}

/**
 * The end of the tunnels. The tenant is who its certificate says, whatever SNI it sends; and a certificate that no line of the
 * map names leads nowhere.
 */
function addTunnelFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, { port, proxyProtocolCidrs }: TunnelHaproxyOptions): void {
  addTunnelCertificate(config, options.runFolder);
  const frontend = addFrontend(config, options, 'tunnel', port, ...tunnelBindWords(options.runFolder));
  addLoadBalancer(frontend, proxyProtocolCidrs);
  addFrontendLimit(frontend, Math.ceil(options.maxConnections * TUNNEL_SHARE));
  const limits = limitsOf(options);
  // Without headers every source is the ingress controller.
  addSourceLimits(frontend, proxyProtocolCidrs ? limits : { ...limits, perSource: undefined }, proxyProtocolCidrs ? 'header' : 'peer');
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'set-var(txn.source)', proxyProtocolCidrs ? 'src' : 'fc_src');
  addTenantName(frontend, 'ssl_c_s_dn(CN)');
  frontend
    .add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.tenant),${lookup(options, 'tunnel')}`)
    .comment('Waits for the first byte of TLS inside: what is refused without a byte would not be logged.')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'req.payload(0,1)', '-m', 'bin', '16', '}')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}')
    .comment('A resumed session has the certificate that was verified when it began, and that may have expired since.')
    .add('tcp-request', 'content', 'set-var(txn.now)', 'date,utime(%y%m%d%H%M%S)')
    .add('tcp-request', 'content', 'set-var(txn.left)', 'ssl_c_notafter,sub(txn.now)')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.left)', '-m', 'int', 'gt', 0, '}');
  addDestination(frontend, options);
}

/** A load balancer that sends a PROXY header. */
function addLoadBalancer(frontend: Section, cidrs?: string[]): void {
  if (cidrs) {
    frontend.comment('Only these may say where a connection comes from.');
    cidrs.forEach(cidr => frontend.add('acl', 'load-balancer', 'src', cidr));
    frontend.add('tcp-request', 'connection', 'expect-proxy', 'layer4', 'if', 'load-balancer');
  }
}

/** @param ports one, or a range as `first-last` */
function addFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, name: string, ports: number | string, ...bindWords: Word[]): Section {
  const frontend = config.section('frontend', name);
  for (const address of options.listenAddresses) {
    // One socket for both families would show IPv4 sources as IPv6 addresses.
    const ipv6 = address.includes(':');
    frontend.add('bind', `${ipv6 ? `[${address}]` : address}:${ports}`, ...(ipv6 ? ['v6only'] : []), ...deadPeerWords(), ...bindWords);
  }
  const more = bindWords.includes('ssl') ? TLS_LOG_FORMAT : { log: '', error: '' };
  return frontend
    .add('log-format', `${LOG_FORMAT}${more.log}`)
    .comment('Not the usual one: that names the source which a broken PROXY header claims.')
    .add('error-log-format', `${ERROR_LOG_FORMAT}${more.error}`);
}

/** The last rules of a frontend. They cannot stand once in the backend: HAProxy 3.0 runs no `do-resolve` there. */
function addDestination(frontend: Section, options: GatewayHaproxyOptions): void {
  frontend
    .comment('The agent keeps the addresses that it knows, so DNS is asked for new services alone and may fail for the others.')
    .add('tcp-request', 'content', 'set-var(txn.service)', `var(txn.target),${TARGET_FIELDS.service}`);
  addTenantLimit(frontend, limitsOf(options));
  frontend
    .add('tcp-request', 'content', 'set-var(txn.address)', `var(txn.service),${lookup(options, ADDRESS_TABLE)}`)
    .add('tcp-request', 'content', 'do-resolve(txn.address,cluster)', 'var(txn.service)', 'if', '!{', 'var(txn.address)', '-m', 'found', '}')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.address)', '-m', 'found', '}')
    .comment('Without these the server would connect to the destination that the PROXY header names.')
    .add('tcp-request', 'content', 'set-dst', 'var(txn.address)')
    .add('tcp-request', 'content', 'set-dst-port', `var(txn.target),${TARGET_FIELDS.port}`)
    .add('default_backend', TENANT_SERVER.backend);
}

function addTenants(config: HaproxyConfig, options: GatewayHaproxyOptions): void {
  const backend = config.section('backend', TENANT_SERVER.backend)
    .comment('Who may connect to a tenant with a list: the networks that the source lies in, one for each prefix length, are\n' +
      'looked up together with the name of the list.')
    .add('acl', 'limited', `var(txn.target),${TARGET_FIELDS.list}`, '-m', 'len', 'ge', 1)
    .add('acl', 'ipv6', 'var(txn.source)', '-m', 'sub', ':');
  for (const length of prefixLengths('ipv4')) {
    backend.add('acl', 'allowed-ipv4', networkLookup(options, `${length}`, length), '-m', 'found');
  }
  for (const length of prefixLengths('ipv6')) {
    backend.add('acl', 'allowed-ipv6', networkLookup(options, `32,${length}`, length), '-m', 'found');
  }
  backend
    .add('tcp-request', 'content', 'set-var(txn.list)', `var(txn.target),${TARGET_FIELDS.list}`)
    .add('tcp-request', 'content', 'reject', 'if', 'limited', '!ipv6', '!allowed-ipv4')
    .add('tcp-request', 'content', 'reject', 'if', 'limited', 'ipv6', '!allowed-ipv6')
    .add('server', TENANT_SERVER.server, '0.0.0.0:0', ...deadPeerWords());
}

function networkLookup(options: GatewayHaproxyOptions, masks: string, length: number): string {
  return `var(txn.source),ipmask(${masks}),concat(/${length}@,txn.list),${lookup(options, 'allowed')}`;
}

function lookup({ runFolder }: GatewayHaproxyOptions, table: RoutingTable | typeof ADDRESS_TABLE, keys: 'str' | 'ip' = 'str'): string {
  return `map_${keys}(${runFolder}/${MAPS_FOLDER}/${mapFile(table)})`;
}

function limitsOf({ maxConnections, limits, clusterIdPort, portRange, addressPort, tunnel }: GatewayHaproxyOptions): ConnectionLimits {
  const others = [
    ...(clusterIdPort === undefined ? [] : ['cluster-id']), ...(portRange ? ['port'] : []), ...(addressPort === undefined ? [] : ['address']), ...(tunnel ? ['tunnel'] : []),
  ];
  return { frontends: ['sni', ...others], total: maxConnections, ...limits };
}
