/** The metrics of HAProxy's own exporter that alerts and dashboards ask for (HAProxy 3.0, `addons/promex`). */
export const HAPROXY_METRICS = {
  processConnections: { name: 'haproxy_process_current_connections' },
  processConnectionLimit: { name: 'haproxy_process_max_connections' },
  openConnections: { name: 'haproxy_frontend_current_sessions' },
  connections: { name: 'haproxy_frontend_connections_total' },
  bytesIn: { name: 'haproxy_frontend_bytes_in_total' },
  bytesOut: { name: 'haproxy_frontend_bytes_out_total' },
  connectionErrors: { name: 'haproxy_backend_connection_errors_total' },
} as const;

/** All frontends but the one that only the agent asks. */
export const DATA_FRONTENDS = 'proxy!="health"';
