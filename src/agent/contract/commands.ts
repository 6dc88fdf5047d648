import { agentCommand, Flag, inSeconds } from './flags';
import { ALL_ADDRESSES, HEALTH_PORT } from './health';
import { DEFAULT_LOG_LEVEL, LogLevel } from './log-level';
import { CA_FILE, CA_FOLDER, CONFIG_FILE, CONFIG_FOLDER, HAPROXY_BINARY, REGISTRATIONS_FOLDER, ROUTES_FOLDER, RUN_FOLDER, SERVICE_ACCOUNT_FOLDER, TLS_FOLDER } from './paths';
import { REGISTRATIONS_FILE } from './registrations';

/** Defaults of `serve`, which are those of a tcp-proxy as well. */
export const SERVE_DEFAULTS = { endpointPort: 6443, propagationDelaySeconds: 5, gracePeriodSeconds: 60 } as const;

/** Defaults of `gateway`, which are those of a shared gateway as well. */
export const GATEWAY_DEFAULTS = { propagationDelaySeconds: 15, gracePeriodSeconds: 300 } as const;

/** Defaults of `address`, which are those of an advertise address as well. */
export const ADDRESS_DEFAULTS = { device: 'tcp-proxy0' } as const;

/** Defaults of `sync`, which are those of a delivery by sync as well. */
export const SYNC_DEFAULTS = { name: 'tenant-sync', resyncIntervalSeconds: 3600, concurrency: 16, requestTimeoutSeconds: 10 } as const;

/** Defaults of `register`, which are those of a registration as well. */
export const REGISTER_DEFAULTS = { name: 'tenant-registration', intervalSeconds: 30 } as const;

/** The most tenants that sync visits at a time. */
export const MOST_CONCURRENCY = 1_000;

const levels = Object.values(LogLevel);

const logLevel = {
  value: 'level', description: `${levels.slice(0, -1).join(', ')} or ${levels[levels.length - 1]}`, default: DEFAULT_LOG_LEVEL,
} as const satisfies Flag;

const healthAddress = {
  value: 'address:port', list: true, description: 'where /healthz, /readyz and /metrics listen', default: [`${ALL_ADDRESSES}:${HEALTH_PORT}`],
} as const satisfies Flag;

/** What both proxies take: HAProxy, its configuration and its folder, and how they stop. */
const haproxy = {
  haproxyConfig: { value: 'file', description: 'complete configuration of HAProxy', default: `${CONFIG_FOLDER}/${CONFIG_FILE}` },
  haproxyBinary: { value: 'file', description: 'the HAProxy program', default: HAPROXY_BINARY },
} as const;

const advertiseAddress = { value: 'ip', list: true } as const;

const tokenFile = {
  value: 'file', description: 'service account token, read again when it changes', default: `${SERVICE_ACCOUNT_FOLDER}/token`,
} as const satisfies Flag;

/** The tcp-proxy of a tenant cluster. */
export const SERVE = agentCommand('serve', 'Run HAProxy in a tenant cluster and own the endpoints of its Service default/kubernetes.', {
  ...haproxy,
  runDir: { value: 'folder', description: 'writable folder for the sockets of HAProxy', default: RUN_FOLDER },
  tlsDir: { value: 'folder', description: 'mounted Secret with tls.crt and tls.key; absent for raw TCP', default: TLS_FOLDER },
  tunnelDir: { value: 'folder', description: 'mounted client certificate of the tunnel (tls.crt, tls.key) and authorities of its gateway (ca.crt); absent for none' },
  servingName: { value: 'name', list: true, description: 'name or address that the certificate must carry', default: ['kubernetes.default.svc'] },
  caFile: { value: 'file', description: 'CA of the tenant cluster', default: `${CA_FOLDER}/${CA_FILE}` },
  tokenFile,
  apiServer: { value: 'url', description: 'API server as https://host:port, reached through the shared ingress' },
  endpoints: { value: 'mode', description: 'owned: write Endpoints and EndpointSlices of default/kubernetes; none: leave them alone', default: 'owned' },
  endpointPort: { value: 'port', description: 'port to publish', default: String(SERVE_DEFAULTS.endpointPort) },
  advertiseAddress: { ...advertiseAddress, description: 'fixed address to publish instead of those of the nodes' },
  namespace: { value: 'name', description: 'namespace of this pod' },
  podName: { value: 'name', description: 'name of this pod' },
  hostIps: { value: 'ip', list: true, description: 'addresses of the node of this pod' },
  podSelector: { value: 'selector', description: 'label selector of all proxy pods', default: 'app.kubernetes.io/name=tcp-proxy' },
  healthAddress,
  propagationDelay: { value: 'duration', description: 'wait after the own address is withdrawn', default: inSeconds(SERVE_DEFAULTS.propagationDelaySeconds) },
  gracePeriod: { value: 'duration', description: 'time for open streams to finish on shutdown', default: inSeconds(SERVE_DEFAULTS.gracePeriodSeconds) },
  logLevel,
});

/** How the commands of a management cluster ask its API. */
const management = {
  apiServer: { value: 'url', description: 'API server of the management cluster', default: 'https://kubernetes.default.svc' },
  caFile: { value: 'file', description: 'CA of the management cluster', default: `${SERVICE_ACCOUNT_FOLDER}/ca.crt` },
  tokenFile,
} as const;

/** The shared gateway of a management cluster. */
export const GATEWAY = agentCommand('gateway', 'Run HAProxy as the shared ingress of many control planes and keep its maps equal to those of ConfigMaps.', {
  ...haproxy,
  routesDir: { value: 'folder', description: 'mounted maps: hosts-*.map, cluster-ids-*.map, ports-*.map, destinations-*.map and allowed-*.map', default: ROUTES_FOLDER },
  routeConfigMap: {
    value: 'name', list: true, description: 'ConfigMap of the mounted maps -00, -01 and so on, to follow by the API; without any the mounted files alone count',
  },
  namespace: { value: 'name', description: 'namespace of those ConfigMaps' },
  ...management,
  runDir: { value: 'folder', description: 'writable folder for the sockets and maps of HAProxy', default: RUN_FOLDER },
  tunnelDir: { value: 'folder', description: 'mounted certificate of the end of tunnels (tls.crt, tls.key) and authorities of the clients (ca.crt); absent for none' },
  nameserver: { value: 'address', list: true, description: 'DNS server as address or address:port instead of those of the system' },
  resolveInterval: { value: 'duration', description: 'how often the address of each service is asked for, with about 250 questions a second at most', default: '30s' },
  resolveDeadline: { value: 'duration', description: 'how long a start waits for services that DNS does not answer for, once it answers', default: '30s' },
  reloadInterval: { value: 'duration', description: 'least time between two reloads of a changed configuration', default: '10s' },
  closeRemoved: { description: 'close the open connections of targets that are removed' },
  healthAddress,
  propagationDelay: {
    value: 'duration', description: 'wait between unreadiness and the last new connection', default: inSeconds(GATEWAY_DEFAULTS.propagationDelaySeconds),
  },
  gracePeriod: { value: 'duration', description: 'time for open streams to finish on shutdown', default: inSeconds(GATEWAY_DEFAULTS.gracePeriodSeconds) },
  logLevel,
});

/** Addresses that a node has: one for itself, or all of a network that is routed to it. */
export const ADDRESS = agentCommand('address', 'Give the node addresses, and keep them there. Needs NET_ADMIN in the host network.', {
  advertiseAddress: { ...advertiseAddress, description: 'address to add to a dummy device, as /32 or /128' },
  localNetwork: { value: 'network', list: true, description: 'IPv6 network that is routed to the node, all of whose addresses are to be its own' },
  device: { value: 'name', description: 'the dummy device', default: ADDRESS_DEFAULTS.device },
  interval: { value: 'duration', description: 'how often to add it again if something removed it', default: '60s' },
  once: { description: 'add it and exit' },
  logLevel,
});

/** The delivery of tenants' objects from the management cluster. */
export const SYNC = agentCommand('sync', 'Apply bundles of objects from ConfigMaps of the management cluster to the tenant clusters, continuously.', {
  namespace: { value: 'name', description: 'namespace of this pod, of the bundles and of their statuses' },
  podName: { value: 'name', description: 'name of this pod, by which it holds the lease' },
  ...management,
  leaseName: { value: 'name', description: 'Lease that elects the one process that works', default: SYNC_DEFAULTS.name },
  resyncInterval: { value: 'duration', description: 'how often each tenant is checked for drift, and its certificate', default: inSeconds(SYNC_DEFAULTS.resyncIntervalSeconds) },
  secretsInterval: { value: 'duration', description: 'how often the Secrets of each tenant are looked at: a new CA or kubeconfig', default: '15m' },
  concurrency: { value: 'number', description: 'how many tenants are worked on at once', default: String(SYNC_DEFAULTS.concurrency) },
  requestTimeout: { value: 'duration', description: 'time for a tenant to answer a request', default: inSeconds(SYNC_DEFAULTS.requestTimeoutSeconds) },
  caSettleTime: { value: 'duration', description: 'how long kubelets take to show a changed CA to pods, with some reserve', default: '2m' },
  caOverlap: { value: 'duration', description: 'how long a replaced CA stays trusted after nothing is known to need it', default: '24h' },
  certificatesOnly: { description: 'keep the certificates of the bundles alone: no object is applied, and the tenant has no list of what is there' },
  visitsFile: { value: 'file', description: 'says after a crash which tenants were being visited, to set them aside; in a folder that outlives the process' },
  healthAddress,
  logLevel,
});

/** The registration of tenants with Argo CD or Flux. */
export const REGISTER = agentCommand('register', 'Keep the Secrets by which Argo CD or Flux reach tenants, from the kubeconfigs of the operators. No tenant is asked anything.', {
  registrations: { value: 'file', description: 'which Secrets to keep, read again each time', default: `${REGISTRATIONS_FOLDER}/${REGISTRATIONS_FILE}` },
  ...management,
  interval: { value: 'duration', description: 'how often the kubeconfigs are looked at', default: inSeconds(REGISTER_DEFAULTS.intervalSeconds) },
  healthAddress,
  logLevel,
});
