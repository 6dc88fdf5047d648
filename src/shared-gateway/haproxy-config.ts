import { addAddressFrontend } from './frontends/address';
import { addClusterIdFrontend } from './frontends/cluster-id';
import { addEdgeFrontend } from './frontends/edge';
import { addPortFrontend } from './frontends/port';
import { addSniFrontend } from './frontends/sni';
import { addTunnelFrontend } from './frontends/tunnel';
import { addGateways } from './gateways-backend';
import { GatewayHaproxyOptions, limitsOf } from './haproxy-options';
import { addTenants } from './tenants-backend';
import { addGlobalSection, addHealthFrontend } from '../haproxy/agent-sockets';
import { HaproxyConfig } from '../haproxy/config';
import { addLimitTables, processLimit } from '../haproxy/connection-limits';
import { addSocketBuffers } from '../haproxy/socket-buffers';
import { addResolving, addTimeouts } from '../haproxy/timeouts';
import { addTunnelGlobals } from '../haproxy/tunnel';

/** More workers than this are never waited for; the oldest one's connections are cut. */
const MAX_OLD_WORKERS = 10;

/**
 * The complete HAProxy configuration of a shared gateway.
 *
 * Tenants are entries of maps, which change on the runtime socket without a reload: host, cluster ID, port or address give the target,
 * `<service name>:<port>` and maybe `:<list>` of allowed sources; the service name gives the address, from the agent's
 * map or else from DNS. Then `set-dst` makes the connection's destination of it and the one server, which has no address
 * of its own, connects there. Whatever is not found ends the connection. A target may be another management cluster: then the one server
 * of another backend connects to the gateway of that, and says by the PROXY protocol what it was found by.
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
  if (options.edge) {
    addEdgeFrontend(config, options, options.edge);
  }
  addTenants(config, options);
  if (options.clusters) {
    addGateways(config);
  }
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
  addResolving(section, 'A client waits meanwhile.')
    .comment('HAProxy 3.2 would give the last answer for ten seconds more, also when the Service has another address since.')
    .add('hold', 'valid', '0s');
}
