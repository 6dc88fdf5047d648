import { FOUND_BY_TLV } from './found-by';
import { GATEWAY_SERVER } from '../agent/contract/haproxy-names';
import { HaproxyConfig } from '../haproxy/config';
import { deadPeerWords } from '../haproxy/timeouts';

/** Where routes to other management clusters lead: the one server, whose address is that of the gateway which the frontend found. */
export function addGateways(config: HaproxyConfig): void {
  config.section('backend', GATEWAY_SERVER.backend)
    .comment('The gateway there is told whose connection it is, never what a header of a tenant said, and how it was found.')
    .add('tcp-request', 'content', 'set-src', 'var(txn.source)')
    .add('server', GATEWAY_SERVER.server, '0.0.0.0:0', ...deadPeerWords(), 'send-proxy-v2', `set-proxy-v2-tlv-fmt(0x${FOUND_BY_TLV.toString(16)})`, '%[var(txn.found_by)]');
}
