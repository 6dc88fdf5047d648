import { addDestination, addFrontend, addTlsAlone } from './frontend';
import { lookup } from './lookup';
import { HaproxyConfig } from '../../haproxy/config';
import { addSourceLimits } from '../../haproxy/connection-limits';
import { addInspectDelay } from '../../haproxy/timeouts';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/**
 * Connections to addresses of tenants are routed to the node and so to no load balancer: there is no PROXY header, and
 * the address is the one that the client connected to.
 */
export function addAddressFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, port: number): void {
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
