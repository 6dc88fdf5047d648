import { DATA_FRONTENDS, HAPROXY_METRICS } from './haproxy-metrics';
import { Panel } from './panel';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** What every use has. */
export const AGENT_PANELS: readonly Panel[] = [
  {
    title: 'CPU of the agents',
    description: 'Of a core. The agent only controls: a busy one means many changes, or somebody who makes it work.',
    unit: 'percentunit',
    queries: [{ expr: scope => `rate(${series(scope, METRICS.cpu)}[$__rate_interval])`, legend: '{{pod}}' }],
  },
  {
    title: 'Memory of the agents',
    description: 'Without HAProxy, which is beside it in the container.',
    unit: 'bytes',
    queries: [{ expr: scope => series(scope, METRICS.residentMemory), legend: '{{pod}}' }],
  },
];

/** Numbers at the top of a use that runs HAProxy. */
export const HAPROXY_NUMBERS: readonly Panel[] = [
  {
    title: 'Ready pods',
    description: 'Pods of which all parts of /readyz are well.',
    single: true,
    unit: 'short',
    queries: [{ expr: scope => `sum(min by (instance) (${series(scope, METRICS.ready)}))`, legend: 'ready' }],
  },
  {
    title: 'Open connections',
    description: 'Of clients, in all pods.',
    single: true,
    unit: 'short',
    queries: [{ expr: scope => `sum(${series(scope, HAPROXY_METRICS.openConnections, DATA_FRONTENDS)})`, legend: 'open' }],
  },
  {
    title: 'Fullest pod',
    description: 'Part of the connections that a pod can have.',
    single: true,
    unit: 'percentunit',
    max: 1,
    queries: [{
      expr: scope => `max(${series(scope, HAPROXY_METRICS.processConnections)} / ${series(scope, HAPROXY_METRICS.processConnectionLimit)})`,
      legend: 'full',
    }],
  },
];

/** Lines of a use that runs HAProxy. */
export const HAPROXY_LINES: readonly Panel[] = [
  {
    title: 'Open connections',
    description: 'Of clients. They are long: kubelets and controllers watch.',
    unit: 'short',
    queries: [{ expr: scope => `sum by (pod) (${series(scope, HAPROXY_METRICS.openConnections, DATA_FRONTENDS)})`, legend: '{{pod}}' }],
  },
  {
    title: 'New connections',
    description: 'A second. Each costs a handshake where TLS is opened.',
    unit: 'cps',
    queries: [{ expr: scope => `sum by (pod) (rate(${series(scope, HAPROXY_METRICS.connections, DATA_FRONTENDS)}[$__rate_interval]))`, legend: '{{pod}}' }],
  },
  {
    title: 'Traffic',
    description: 'From clients, and to them.',
    unit: 'Bps',
    queries: [
      { expr: scope => `sum(rate(${series(scope, HAPROXY_METRICS.bytesIn, DATA_FRONTENDS)}[$__rate_interval]))`, legend: 'from clients' },
      { expr: scope => `sum(rate(${series(scope, HAPROXY_METRICS.bytesOut, DATA_FRONTENDS)}[$__rate_interval]))`, legend: 'to clients' },
    ],
  },
  {
    title: 'Refused connections',
    description: 'A second, by the limit that they were above. Usually none.',
    unit: 'cps',
    queries: [{ expr: scope => `sum by (limit) (rate(${series(scope, METRICS.refusedConnections)}[$__rate_interval]))`, legend: '{{limit}}' }],
  },
  {
    title: 'Parts that are ready',
    description: 'Pods in which each part of /readyz is well.',
    unit: 'short',
    queries: [{ expr: scope => `sum by (part) (${series(scope, METRICS.ready)})`, legend: '{{part}}' }],
  },
  {
    title: 'Restarts of HAProxy',
    description: 'In 15 minutes. Usually none: each cuts the connections of a pod.',
    unit: 'short',
    queries: [{ expr: scope => `increase(${series(scope, METRICS.haproxyRestarts)}[15m])`, legend: '{{pod}}' }],
  },
];
