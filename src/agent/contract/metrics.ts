import { CONNECTION_LIMITS } from './haproxy-names';

/** A command of the agent that answers to `/metrics`. */
export type MeasuredCommand = 'serve' | 'gateway' | 'sync' | 'register';

/** A metric of the agent. The agent counts it; alerts, dashboards and the reference page ask for it by this description. */
export interface Metric<Label extends string = string> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The values of each label, or what they are. */
  readonly labels: { readonly [label in Label]: readonly string[] | string };
  readonly commands: readonly MeasuredCommand[];
}

/** Where a tenant's trouble is that `sync` met. */
export const SYNC_REASONS = ['bundle', 'kubeconfig', 'certificate', 'unreachable', 'refused', 'objects', 'prune', 'crash', 'management'] as const;

const EVERY: readonly MeasuredCommand[] = ['serve', 'gateway', 'sync', 'register'];
const WITH_HAPROXY: readonly MeasuredCommand[] = ['serve', 'gateway'];

function metric<Label extends string = never>(
  type: Metric['type'], commands: readonly MeasuredCommand[], name: string, help: string, labels = {} as Metric<Label>['labels'],
): Metric<Label> {
  return { name: `tcp_proxy_${name}`, type, help, labels, commands };
}

/** Everything that the agent counts by itself. HAProxy adds what its own exporter has, as `haproxy_…`. */
export const METRICS = {
  ready: metric('gauge', EVERY, 'ready', '1 while this part of /readyz is well, else 0.', {
    part: 'serve: haproxy, upstream, certificate, endpoints; gateway: haproxy, configuration, routes, addresses, tunnel; sync: bundles, leader; '
      + 'register: registrations; shutdown while the process stops',
  }),
  startTime: metric('gauge', EVERY, 'agent_start_time_seconds', 'When the agent was started, in seconds since 1970.'),
  residentMemory: metric('gauge', EVERY, 'agent_resident_memory_bytes', 'Resident memory of the agent.'),
  cpu: metric('counter', EVERY, 'agent_cpu_seconds_total', 'CPU time of the agent, user and system.'),
  healthDropped: metric('counter', EVERY, 'health_connections_dropped_total',
    'Connections to the health port that were closed without an answer: too many at once (crowded), or too long (slow).', { reason: ['crowded', 'slow'] }),

  haproxyUp: metric('gauge', WITH_HAPROXY, 'haproxy_up', '1 when HAProxy answered during this scrape.'),
  haproxyRestarts: metric('counter', WITH_HAPROXY, 'haproxy_restarts_total', 'How often HAProxy died and was started again.'),
  refusedConnections: metric('counter', WITH_HAPROXY, 'refused_connections_total',
    'Connections that were refused, by the limit that they were above: of all together, of a source, of a tenant.', { limit: CONNECTION_LIMITS }),
  certificateUpdates: metric('counter', WITH_HAPROXY, 'certificate_updates_total',
    'Changed certificate files, by what they hold and what became of them.', { kind: ['serving', 'ca', 'tunnel'], result: ['applied', 'refused'] }),
  certificateRefused: metric('gauge', WITH_HAPROXY, 'certificate_refused',
    '1 while the mounted files of this kind are not in use.', { kind: ['serving', 'ca', 'tunnel'] }),
  certificateNotBefore: metric('gauge', WITH_HAPROXY, 'certificate_not_before_timestamp_seconds',
    'Since when the certificate of this proxy is valid, in seconds since 1970; 0 while none is in use.'),
  certificateNotAfter: metric('gauge', WITH_HAPROXY, 'certificate_not_after_timestamp_seconds',
    'When the certificate of this proxy expires, in seconds since 1970; 0 while none is in use.'),
  unwatchedFolders: metric('gauge', WITH_HAPROXY, 'unwatched_folders',
    'Mounted folders that the kernel does not let this process watch; they are read every 2 seconds instead.'),

  endpointsInSync: metric('gauge', ['serve'], 'endpoints_in_sync', '1 when default/kubernetes holds what this proxy wants it to hold.'),
  endpointsAddresses: metric('gauge', ['serve'], 'endpoints_addresses', 'Addresses that this proxy wants default/kubernetes to hold.'),
  endpointsWrites: metric('counter', ['serve'], 'endpoints_writes_total', 'Objects of the Service default/kubernetes that this proxy wrote.',
    { kind: ['Endpoints', 'EndpointSlice'], verb: ['create', 'update', 'delete'] }),
  endpointsRepairs: metric('counter', ['serve'], 'endpoints_repairs_total',
    'Times this proxy restored the endpoints of default/kubernetes after somebody else had changed or deleted them.'),
  endpointsConflicts: metric('counter', ['serve'], 'endpoints_conflicts_total', 'Writes that came to nothing because the object had changed in between.'),
  endpointsErrors: metric('counter', ['serve'], 'endpoints_errors_total', 'Requests to the API server that failed for another reason than a conflict.',
    { operation: '`write`, or `watch` and the resource' }),

  gatewayHosts: metric('gauge', ['gateway'], 'gateway_hosts', 'SNI hosts that are routed.'),
  gatewayClusterIds: metric('gauge', ['gateway'], 'gateway_cluster_ids', 'Cluster IDs that are routed.'),
  gatewayPorts: metric('gauge', ['gateway'], 'gateway_ports', 'Ports that are routed.'),
  gatewayDestinations: metric('gauge', ['gateway'], 'gateway_destinations', 'Addresses of tenants that are routed.'),
  gatewayTunnels: metric('gauge', ['gateway'], 'gateway_tunnels', 'Tenants whose client certificates are routed.'),
  gatewayClusters: metric('gauge', ['gateway'], 'gateway_clusters', 'Other management clusters that are routed to.'),
  gatewayRefusedLines: metric('gauge', ['gateway'], 'gateway_refused_lines', 'Lines and keys of the mounted maps that are not in use.'),
  gatewayServices: metric('gauge', ['gateway'], 'gateway_services', 'Services that routes lead to.'),
  gatewayServicesUnresolved: metric('gauge', ['gateway'], 'gateway_services_unresolved', 'Services without a known address.'),
  gatewayServicesFailing: metric('gauge', ['gateway'], 'gateway_services_failing', 'Services that DNS did not answer for when it was asked last.'),
  gatewayMapUpdates: metric('counter', ['gateway'], 'gateway_map_updates_total', 'Changes of the maps of the running HAProxy, each without a reload.',
    { table: ['hosts', 'cluster-ids', 'ports', 'destinations', 'tunnel', 'allowed', 'domains', 'gateways', 'addresses'] }),
  gatewayConfigurations: metric('counter', ['gateway'], 'gateway_configurations_total', 'Changed configurations, by what became of them.',
    { result: ['applied', 'refused'] }),
  gatewayConfigurationRefused: metric('gauge', ['gateway'], 'gateway_configuration_refused', '1 while the mounted configuration is not in use.'),
  gatewayRouteWatchErrors: metric('counter', ['gateway'], 'gateway_route_watch_errors_total',
    'Times that a ConfigMap with routes could not be followed by the API; its mounted file counts instead. Absent where routes are not followed.'),
  gatewayUnfollowed: metric('gauge', ['gateway'], 'gateway_route_config_maps_unfollowed',
    'ConfigMaps with routes that are known from their mounted files alone. Absent where routes are not followed.'),
  gatewayOldWorkers: metric('gauge', ['gateway'], 'gateway_old_workers', 'Workers that a reload has replaced and that still have connections.'),

  syncLeader: metric('gauge', ['sync'], 'sync_leader', '1 when this process leads.'),
  syncTenants: metric('gauge', ['sync'], 'sync_tenants', 'Tenants by their phase; 0 while another process leads.',
    { phase: ['Waiting', 'Applying', 'Pruning', 'Synced', 'Failed', 'Moved', 'Removing'] }),
  syncApplyDuration: metric('histogram', ['sync'], 'sync_apply_duration_seconds',
    'Time to bring a tenant to what its bundle says, for those where that succeeded.'),
  syncErrors: metric('counter', ['sync'], 'sync_errors_total', 'Attempts that failed, by the place of the trouble.', { reason: SYNC_REASONS }),
  syncStatusWrites: metric('counter', ['sync'], 'sync_status_writes_total', 'Statuses that were written because they differed.'),
  syncKeptEndpoints: metric('gauge', ['sync'], 'sync_kept_endpoints',
    'Tenants whose endpoints of default/kubernetes are kept: followed, where a change is repaired at once, and not.', { followed: ['true', 'false'] }),
  syncEndpointRepairs: metric('counter', ['sync'], 'sync_endpoint_repairs_total',
    'Times that endpoints of default/kubernetes which sync keeps were not as they should be, and were written again.'),
  syncQueueDepth: metric('gauge', ['sync'], 'sync_queue_depth', 'Tenants that wait for their turn.'),
  syncSetAside: metric('gauge', ['sync'], 'sync_tenants_set_aside', 'Tenants that are not visited for a while, since this program ended while it visited them.'),

  registerTenants: metric('gauge', ['register'], 'register_tenants', 'Tenants by what came of the last look at them.',
    { outcome: ['registered', 'waiting', 'failed'] }),
  registerFailedRounds: metric('counter', ['register'], 'register_failed_rounds_total', 'Looks at all tenants that could not begin.'),
} as const;
