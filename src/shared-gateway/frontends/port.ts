import { addDestination, addFrontend, addLoadBalancer, addTlsAlone } from './frontend';
import { lookup } from './lookup';
import { HaproxyConfig } from '../../haproxy/config';
import { addSourceLimits } from '../../haproxy/connection-limits';
import { addInspectDelay } from '../../haproxy/timeouts';
import type { PortRange } from '../../model/port-range';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/** Ports that lead to one tenant each. */
export function addPortFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, { first, last }: PortRange): void {
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
  addDestination(frontend, options, 'ports');
}
