import { prefixLengths } from './allowed-sources';
import { lookup } from './frontends/lookup';
import type { GatewayHaproxyOptions } from './haproxy-options';
import { TENANT_SERVER } from '../agent/contract/haproxy-names';
import { TARGET_FIELDS } from '../agent/contract/routing-tables';
import { HaproxyConfig } from '../haproxy/config';
import { deadPeerWords } from '../haproxy/timeouts';

/** Where every frontend leads: the one server, whose address is the one that the frontend found, and the lists of allowed sources. */
export function addTenants(config: HaproxyConfig, options: GatewayHaproxyOptions): void {
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
