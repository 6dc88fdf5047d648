import { addDestination, addFrontend, addLoadBalancer } from './frontend';
import { lookup } from './lookup';
import { addTenantName } from './tenant-name';
import { HaproxyConfig } from '../../haproxy/config';
import { addFrontendLimit, addSourceLimits } from '../../haproxy/connection-limits';
import { addInspectDelay } from '../../haproxy/timeouts';
import { addTunnelCertificate, tunnelBindWords, TUNNEL_SHARE, TunnelHaproxyOptions } from '../../haproxy/tunnel';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

/**
 * The end of the tunnels. The tenant is who its certificate says, whatever SNI it sends; and a certificate that no line of the
 * map names leads nowhere.
 */
export function addTunnelFrontend(config: HaproxyConfig, options: GatewayHaproxyOptions, { port, proxyProtocolCidrs }: TunnelHaproxyOptions): void {
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
