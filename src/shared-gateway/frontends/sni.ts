import { addDestination, addFrontend, addLoadBalancer } from './frontend';
import { lookup } from './lookup';
import { addTenantName } from './tenant-name';
import { MOST_LABELS_IN_DOMAIN } from '../../agent/contract/clusters';
import { HaproxyConfig } from '../../haproxy/config';
import { addSourceLimits } from '../../haproxy/connection-limits';
import { Section } from '../../haproxy/section';
import { addInspectDelay } from '../../haproxy/timeouts';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/** The port that routes on the SNI host. */
export function addSniFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions): void {
  const { sniPort, loadBalancerCidrs } = options;
  const frontend = addFrontend(config, options, 'sni', sniPort);
  addLoadBalancer(frontend, loadBalancerCidrs);
  addSourceLimits(frontend, limitsOf(options), loadBalancerCidrs ? 'header' : 'peer');
  addInspectDelay(frontend)
    .add('tcp-request', 'content', 'set-var(txn.source)', loadBalancerCidrs ? 'src' : 'fc_src');
  addTenantName(frontend, 'req.ssl_sni,lower');
  frontend.add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.tenant),${lookup(options, 'hosts')}`);
  if (options.clusters) {
    addDomains(frontend, options);
  }
  frontend
    .comment('Waits until the ClientHello is complete, which may take several packets.')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}', '{', 'req.ssl_hello_type', 1, '}')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.target)', '-m', 'found', '}');
  addDestination(frontend, options, 'hosts');
}

/** The cluster of the longest domain that a host without a line of its own is in. */
function addDomains(frontend: Section, options: GatewayHaproxyOptions): void {
  const unknown = ['if', '!{', 'var(txn.target)', '-m', 'found', '}'];
  frontend.add('tcp-request', 'content', 'set-var(txn.domain)', 'var(txn.tenant)', ...unknown);
  for (let labels = 0; labels < MOST_LABELS_IN_DOMAIN; labels++) {
    frontend
      .add('tcp-request', 'content', 'set-var(txn.domain)', 'var(txn.domain),regsub(^[^.]+\\.,)', ...unknown)
      .add('tcp-request', 'content', 'set-var(txn.target)', `var(txn.domain),${lookup(options, 'domains')}`, ...unknown);
  }
}
