import { addDestination, addFrontend, addTlsAlone } from './frontend';
import { lookup } from './lookup';
import { addTenantName } from './tenant-name';
import { HaproxyConfig } from '../../haproxy/config';
import { addSourceLimits } from '../../haproxy/connection-limits';
import { addInspectDelay } from '../../haproxy/timeouts';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/** The port that routes on the cluster ID in the PROXY header. */
export function addClusterIdFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, port: number): void {
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
  addDestination(frontend, options, 'cluster-ids');
}
