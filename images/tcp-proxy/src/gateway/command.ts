import { Command, Option } from 'commander';
import { environmentVariable, listOption, option } from '../../../../cli/configuration';
import { DEFAULT_HEALTH_ADDRESS } from '../../../../cli/defaults';

/** `tcp-proxy gateway`: the flags and their defaults. */
export function gatewayCommand(): Command {
  return new Command('gateway')
    .description('Run HAProxy as the shared ingress of many control planes and keep its maps equal to mounted files.')
    .addOption(option('--haproxy-config <file>', 'complete configuration of HAProxy', '/etc/haproxy/haproxy.cfg'))
    .addOption(option('--haproxy-binary <file>', 'the HAProxy program', '/usr/sbin/haproxy'))
    .addOption(option('--routes-dir <folder>', 'mounted maps: hosts-*.map, cluster-ids-*.map, ports-*.map and allowed-*.map', '/etc/tcp-proxy/routes'))
    .addOption(option('--run-dir <folder>', 'writable folder for the sockets and maps of HAProxy', '/run/tcp-proxy'))
    .addOption(listOption('--nameserver <address...>', 'DNS server as address or address:port instead of those of the system (repeatable)'))
    .addOption(option('--resolve-interval <duration>', 'how often the address of each service is asked for, with about 250 questions a second at most', '30s'))
    .addOption(option('--resolve-deadline <duration>', 'how long a start waits for services that DNS does not answer for, once it answers', '30s'))
    .addOption(option('--reload-interval <duration>', 'least time between two reloads of a changed configuration', '10s'))
    .addOption(new Option('--close-removed', 'close the open connections of targets that are removed').env(environmentVariable('--close-removed')).default(false))
    .addOption(listOption('--health-address <address:port...>', `where /healthz, /readyz and /metrics listen (repeatable; default: ${DEFAULT_HEALTH_ADDRESS})`))
    .addOption(option('--propagation-delay <duration>', 'wait between unreadiness and the last new connection', '15s'))
    .addOption(option('--grace-period <duration>', 'time for open streams to finish on shutdown', '300s'))
    .addOption(option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent', 'info'))
    .action(async values => {
      const { gatewayConfiguration } = await import('./configuration');
      const configuration = gatewayConfiguration(values);
      const { gateway } = await import('./gateway');
      await gateway(configuration);
    });
}
