import { addDestination, addFrontend, addTlsAlone } from './frontend';
import { lookup } from './lookup';
import { addTenantName } from './tenant-name';
import { HaproxyConfig } from '../../haproxy/config';
import { addSourceLimits } from '../../haproxy/connection-limits';
import { addInspectDelay } from '../../haproxy/timeouts';
import { FoundBy, FOUND_BY_FIELDS, FOUND_BY_TLV } from '../found-by';
import { EdgeHaproxyOptions, GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/**
 * The port for the edge of a fleet, which sends a header with the source of each connection and with what it found the tenant by. It is
 * apart from the others, so that what they trust is not changed by it.
 */
export function addEdgeFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, { port, cidrs }: EdgeHaproxyOptions): void {
  const tables: readonly FoundBy[] = ['hosts', ...options.clusterIdPort === undefined ? [] : ['cluster-ids' as const], ...options.portRange ? ['ports' as const] : []];
  const unknown = ['!{', 'var(txn.target)', '-m', 'found', '}'];
  const by = (table: FoundBy) => ['{', 'var(txn.table)', '-m', 'str', table, '}'];
  const frontend = addFrontend(config, options, 'edge', port, 'accept-proxy')
    .comment('Only these may say where a connection comes from.');
  cidrs.forEach(cidr => frontend.add('acl', 'edge', 'src', cidr));
  frontend.add('tcp-request', 'connection', 'reject', 'if', '!edge');
  addSourceLimits(frontend, limitsOf(options), 'header');
  addInspectDelay(frontend)
    .comment('Where an edge reaches this address by IPv6, it says so of IPv4 sources as well.')
    .add('tcp-request', 'content', 'set-var(txn.source)', 'src,ipmask(32,128)')
    .add('tcp-request', 'content', 'set-var(txn.found_by)', `fc_pp_tlv(0x${FOUND_BY_TLV.toString(16)})`)
    .add('tcp-request', 'content', 'set-var(txn.table)', `var(txn.found_by),${FOUND_BY_FIELDS.table}`)
    .add('tcp-request', 'content', 'set-var(txn.key)', `var(txn.found_by),${FOUND_BY_FIELDS.key}`, 'if', '!{', 'var(txn.table)', '-m', 'str', 'hosts', '}')
    .add('tcp-request', 'content', 'set-var(txn.key)', 'req.ssl_sni,lower', 'if', ...by('hosts'));
  addTenantName(frontend, 'var(txn.key)');
  tables.forEach(table => frontend.add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.tenant),${lookup(options, table)}`, 'if', ...by(table)));
  frontend
    .comment('Waits until a ClientHello is complete, which may take several packets.')
    .add('tcp-request', 'content', 'reject', 'if', ...by('hosts'), ...unknown, '{', 'req.ssl_hello_type', 1, '}')
    .add('tcp-request', 'content', 'reject', 'if', ...unknown);
  addTlsAlone(frontend);
  addDestination(frontend, options);
}
