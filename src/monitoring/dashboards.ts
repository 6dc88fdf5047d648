import { AGENT_PANELS, HAPROXY_LINES, HAPROXY_NUMBERS } from './haproxy-panels';
import { Dashboard, Panel } from './panel';
import { Scope, series } from './scope';
import { Metric, METRICS } from '../agent/contract/metrics';

const name = ({ namespace, job }: Scope) => `${namespace}/${job}`;

function certificate(): Panel {
  return {
    title: 'Certificate expires in',
    description: 'The shortest of all pods. It is renewed when a third of its life is left.',
    single: true,
    unit: 's',
    queries: [{ expr: scope => `min((${series(scope, METRICS.certificateNotAfter)} > 0) - time())`, legend: 'left' }],
  };
}

/** The value of a gauge in all pods together. */
function number(title: string, description: string, expr: (scope: Scope) => string): Panel {
  return { title, description, single: true, unit: 'short', queries: [{ expr, legend: title.toLowerCase() }] };
}

const largest = (metric: Metric, legend: string) => ({ expr: (scope: Scope) => `max(${series(scope, metric)})`, legend });

/** Of a tcp-proxy in a tenant cluster. */
export const TCP_PROXY_DASHBOARD: Dashboard = {
  title: scope => `tcp-proxy ${name(scope)}`,
  panels: [
    ...HAPROXY_NUMBERS,
    certificate(),
    ...HAPROXY_LINES,
    {
      title: 'Endpoints of default/kubernetes',
      description: 'Addresses that the proxies want it to hold, and proxies that find it as they want it.',
      unit: 'short',
      queries: [
        largest(METRICS.endpointsAddresses, 'wanted addresses'),
        { expr: scope => `sum(${series(scope, METRICS.endpointsInSync)})`, legend: 'proxies that are content' },
      ],
    },
    {
      title: 'Repairs of endpoints',
      description: 'In 15 minutes. Many mean a second writer.',
      unit: 'short',
      queries: [{ expr: scope => `sum by (pod) (increase(${series(scope, METRICS.endpointsRepairs)}[15m]))`, legend: '{{pod}}' }],
    },
    ...AGENT_PANELS,
  ],
};

/** Of a shared gateway. */
export const GATEWAY_DASHBOARD: Dashboard = {
  title: scope => `shared gateway ${name(scope)}`,
  panels: [
    ...HAPROXY_NUMBERS,
    number('Refused lines', 'Lines of routes that are not in use. Usually none.', scope => `max(${series(scope, METRICS.gatewayRefusedLines)})`),
    ...HAPROXY_LINES,
    {
      title: 'Routes',
      description: 'In use, by what they are found by.',
      unit: 'short',
      queries: [
        largest(METRICS.gatewayHosts, 'hosts'), largest(METRICS.gatewayClusterIds, 'cluster IDs'), largest(METRICS.gatewayPorts, 'ports'),
        largest(METRICS.gatewayDestinations, 'addresses'), largest(METRICS.gatewayTunnels, 'tunnels'),
      ],
    },
    {
      title: 'Services',
      description: 'That routes lead to; without an address, and with one that DNS did not confirm.',
      unit: 'short',
      queries: [
        largest(METRICS.gatewayServices, 'all'), largest(METRICS.gatewayServicesUnresolved, 'without an address'), largest(METRICS.gatewayServicesFailing, 'not confirmed'),
      ],
    },
    {
      title: 'Changes of routes',
      description: 'A second, each without a reload.',
      unit: 'ops',
      queries: [{ expr: scope => `sum by (pod) (rate(${series(scope, METRICS.gatewayMapUpdates)}[$__rate_interval]))`, legend: '{{pod}}' }],
    },
    {
      title: 'Old workers',
      description: 'Workers that a reload has replaced and that still have connections. Each has its own memory.',
      unit: 'short',
      queries: [{ expr: scope => series(scope, METRICS.gatewayOldWorkers), legend: '{{pod}}' }],
    },
    ...AGENT_PANELS,
  ],
};

/** Of `sync`. */
export const SYNC_DASHBOARD: Dashboard = {
  title: scope => `sync ${name(scope)}`,
  panels: [
    number('Leaders', 'One.', scope => `sum(${series(scope, METRICS.syncLeader)})`),
    number('Tenants', 'In any phase.', scope => `sum(${series(scope, METRICS.syncTenants)})`),
    number('Failed tenants', 'Usually none.', scope => `sum(${series(scope, METRICS.syncTenants, 'phase="Failed"')})`),
    number('Tenants set aside', 'Usually none.', scope => `sum(${series(scope, METRICS.syncSetAside)})`),
    {
      title: 'Tenants by phase',
      description: 'Synced is as it should be; others pass through the other phases.',
      unit: 'short',
      queries: [{ expr: scope => `sum by (phase) (${series(scope, METRICS.syncTenants)})`, legend: '{{phase}}' }],
    },
    {
      title: 'Failed attempts',
      description: 'A second, by the place of the trouble.',
      unit: 'ops',
      queries: [{ expr: scope => `sum by (reason) (rate(${series(scope, METRICS.syncErrors)}[$__rate_interval]))`, legend: '{{reason}}' }],
    },
    {
      title: 'Time to apply',
      description: 'To bring a tenant to what its bundle says, where that succeeded.',
      unit: 's',
      queries: ['0.5', '0.99'].map(quantile => ({
        expr: scope => `histogram_quantile(${quantile}, sum by (le) (rate(${series(scope, { name: `${METRICS.syncApplyDuration.name}_bucket` })}[$__rate_interval])))`,
        legend: `${Number(quantile) * 100} %`,
      })),
    },
    {
      title: 'Tenants that wait for their turn',
      description: 'Usually none, and all of them for a while after a start.',
      unit: 'short',
      queries: [{ expr: scope => `sum(${series(scope, METRICS.syncQueueDepth)})`, legend: 'waiting' }],
    },
    {
      title: 'Kept endpoints',
      description: 'Tenants whose endpoints of default/kubernetes sync keeps: a change is repaired at once where they are followed.',
      unit: 'short',
      queries: [{ expr: scope => `sum by (followed) (${series(scope, METRICS.syncKeptEndpoints)})`, legend: 'followed: {{followed}}' }],
    },
    {
      title: 'Repairs of kept endpoints',
      description: 'In 15 minutes. Many mean a second writer.',
      unit: 'short',
      queries: [{ expr: scope => `sum(increase(${series(scope, METRICS.syncEndpointRepairs)}[15m]))`, legend: 'repairs' }],
    },
    ...AGENT_PANELS,
  ],
};

/** Of `register`. */
export const REGISTER_DASHBOARD: Dashboard = {
  title: scope => `register ${name(scope)}`,
  panels: [
    {
      title: 'Tenants',
      description: 'By what came of the last look at them.',
      unit: 'short',
      queries: [{ expr: scope => `sum by (outcome) (${series(scope, METRICS.registerTenants)})`, legend: '{{outcome}}' }],
    },
    {
      title: 'Looks that could not begin',
      description: 'In 15 minutes. Usually none.',
      unit: 'short',
      queries: [{ expr: scope => `increase(${series(scope, METRICS.registerFailedRounds)}[15m])`, legend: '{{pod}}' }],
    },
    ...AGENT_PANELS,
  ],
};
