import { Command } from 'commander';
import { listOption, option } from '../../../../cli/configuration';
import { DEFAULT_HEALTH_ADDRESS } from '../../../../cli/defaults';

/** `tcp-proxy serve`: the flags and their defaults. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run HAProxy in a tenant cluster and own the endpoints of its Service default/kubernetes.')
    .addOption(option('--haproxy-config <file>', 'complete configuration of HAProxy', '/etc/haproxy/haproxy.cfg'))
    .addOption(option('--haproxy-binary <file>', 'the HAProxy program', '/usr/sbin/haproxy'))
    .addOption(option('--run-dir <folder>', 'writable folder for the sockets of HAProxy', '/run/tcp-proxy'))
    .addOption(option('--tls-dir <folder>', 'mounted Secret with tls.crt and tls.key; absent for raw TCP', '/etc/tcp-proxy/tls'))
    .addOption(listOption('--serving-name <name...>', 'name or address that the certificate must carry (repeatable; default: kubernetes.default.svc)'))
    .addOption(option('--ca-file <file>', 'CA of the tenant cluster', '/etc/tcp-proxy/ca/ca.crt'))
    .addOption(option('--token-file <file>', 'service account token, read again when it changes', '/var/run/secrets/kubernetes.io/serviceaccount/token'))
    .addOption(option('--api-server <url>', 'API server as https://host:port, reached through the shared ingress'))
    .addOption(option('--endpoints <mode>', 'owned: write Endpoints and EndpointSlices of default/kubernetes; none: leave them alone', 'owned'))
    .addOption(option('--endpoint-port <port>', 'port to publish', '6443'))
    .addOption(listOption('--advertise-address <ip...>', 'fixed address to publish instead of those of the nodes (repeatable)'))
    .addOption(option('--namespace <name>', 'namespace of this pod'))
    .addOption(option('--pod-name <name>', 'name of this pod'))
    .addOption(listOption('--host-ips <ip...>', 'addresses of the node of this pod (repeatable)'))
    .addOption(option('--pod-selector <selector>', 'label selector of all proxy pods', 'app.kubernetes.io/name=tcp-proxy'))
    .addOption(listOption('--health-address <address:port...>', `where /healthz, /readyz and /metrics listen (repeatable; default: ${DEFAULT_HEALTH_ADDRESS})`))
    .addOption(option('--propagation-delay <duration>', 'wait after the own address is withdrawn', '5s'))
    .addOption(option('--grace-period <duration>', 'time for open streams to finish on shutdown', '60s'))
    .addOption(option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent', 'info'))
    .action(async values => {
      const { serveConfiguration } = await import('./configuration');
      const configuration = serveConfiguration(values);
      const { serve } = await import('./serve');
      await serve(configuration);
    });
}
