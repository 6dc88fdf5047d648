import { Command } from 'commander';
import { listOption, option } from '../../../../cli/configuration';
import { DEFAULT_HEALTH_ADDRESS } from '../../../../cli/defaults';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** `tcp-proxy sync`: the flags and their defaults. */
export function syncCommand(): Command {
  return new Command('sync')
    .description('Apply bundles of objects from ConfigMaps of the management cluster to the tenant clusters, continuously.')
    .addOption(option('--namespace <name>', 'namespace of this pod, of the bundles and of their statuses'))
    .addOption(option('--pod-name <name>', 'name of this pod, by which it holds the lease'))
    .addOption(option('--api-server <url>', 'API server of the management cluster', 'https://kubernetes.default.svc'))
    .addOption(option('--ca-file <file>', 'CA of the management cluster', `${SERVICE_ACCOUNT}/ca.crt`))
    .addOption(option('--token-file <file>', 'service account token, read again when it changes', `${SERVICE_ACCOUNT}/token`))
    .addOption(option('--lease-name <name>', 'Lease that elects the one process that works', 'tenant-sync'))
    .addOption(option('--resync-interval <duration>', 'how often each tenant is checked for drift, and its certificate', '60m'))
    .addOption(option('--secrets-interval <duration>', 'how often the Secrets of each tenant are looked at: a new CA or kubeconfig', '15m'))
    .addOption(option('--concurrency <number>', 'how many tenants are worked on at once', '16'))
    .addOption(option('--request-timeout <duration>', 'time for a tenant to answer a request', '10s'))
    .addOption(option('--ca-settle-time <duration>', 'how long kubelets take to show a changed CA to pods, with some reserve', '2m'))
    .addOption(option('--ca-overlap <duration>', 'how long a replaced CA stays trusted after nothing is known to need it', '24h'))
    .addOption(option('--visits-file <file>', 'says after a crash which tenants were being visited, to set them aside; in a folder that outlives the process'))
    .addOption(listOption('--health-address <address:port...>', `where /healthz, /readyz and /metrics listen (repeatable; default: ${DEFAULT_HEALTH_ADDRESS})`))
    .addOption(option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent', 'info'))
    .action(async values => {
      const { syncConfiguration } = await import('./configuration');
      const configuration = syncConfiguration(values);
      const { sync } = await import('./sync');
      await sync(configuration);
    });
}
