/** The HAProxy program of the image. */
export const HAPROXY_BINARY = '/usr/sbin/haproxy';

/** Where the configuration of HAProxy is mounted. */
export const CONFIG_FOLDER = '/etc/haproxy';
/** Its file, and so the key of the ConfigMap. */
export const CONFIG_FILE = 'haproxy.cfg';

/** Writable folder of the proxies: sockets, maps, accepted files. */
export const RUN_FOLDER = '/run/tcp-proxy';

/** Where the serving certificate of a tcp-proxy is mounted: a Secret of type `kubernetes.io/tls`. */
export const TLS_FOLDER = '/etc/tcp-proxy/tls';
/** Its keys. */
export const TLS_FILES = { certificate: 'tls.crt', key: 'tls.key' } as const;

/** Where the authorities of the tenant are mounted. */
export const CA_FOLDER = '/etc/tcp-proxy/ca';
/** Key of the ConfigMap with them. */
export const CA_FILE = 'ca.crt';

/** Where the files of a tunnel are mounted, on either side: a pair, and the authorities of the other side, under the names of `TLS_FILES` and `CA_FILE`. */
export const TUNNEL_MOUNT = '/etc/tcp-proxy/tunnel';
/** Folder in the writable folder of a proxy: the files of the tunnel that the agent has accepted, which HAProxy reads. */
export const TUNNEL_FOLDER = 'tunnel';
/** A gateway has its ticket keys there, too. */
export const TICKET_KEYS_FILE = 'ticket-keys';

/** Where the maps of a gateway are mounted. */
export const ROUTES_FOLDER = '/etc/tcp-proxy/routes';

/** Where the list of registrations is mounted. */
export const REGISTRATIONS_FOLDER = '/etc/tenant-registrations';

/** Writable folder of sync. It outlives the container, which a tenant may manage to end, and not the pod. */
export const STATE_FOLDER = '/run/tenant-sync';

/** Where Kubernetes mounts the token of the pod, and the CA of its cluster. */
export const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Sockets in the writable folder of a proxy. HAProxy makes the first two as its configuration says, the last as the agent asks. */
export const SOCKETS = { runtime: 'haproxy.sock', health: 'health.sock', master: 'master.sock' } as const;

/** Socket in the writable folder of a tcp-proxy, by which the health check of its upstream goes through the tunnel. */
export const PROBE_SOCKET = 'probe.sock';

/** Folder of HAProxy's maps in the writable folder of a gateway. */
export const MAPS_FOLDER = 'maps';
