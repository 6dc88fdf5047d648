import { isIP } from 'net';

/** What to check, from flags, a kubeconfig or manifests. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** Whether the port leads to this control plane alone, whatever name a client asks for. */
  readonly byPort?: boolean;
  /** SNI of clients, when they dial `host` by another name (`tls-server-name` of a kubeconfig). */
  readonly serverName: string;
  /** The tenant's CA, PEM. */
  readonly ca?: string;
  /** Names that the API server's certificate must have beside the host. */
  readonly sans: string[];
  readonly konnectivity?: HostPort;
  readonly proxyProtocol?: ProxyProtocolTarget;
  readonly adminKubeconfig?: AdminKubeconfig;
  /** Dialled in the place of what DNS says about the hosts. */
  readonly connectTo?: string;
  /** DNS server as `address` or `address:port`. @default - that of the system, with its hosts file */
  readonly resolver?: string;
  /** For each connection and each lookup. */
  readonly timeoutMs: number;
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A kubeconfig of the operator's for inside of the management cluster, e.g. `super-admin.svc` of Kamaji's Secret. */
export interface AdminKubeconfig {
  /** `host:port` of its server, which is the Service of the control plane. */
  readonly server: HostPort;
  /** What the control plane's resource says. */
  readonly servicePort: number;
}

/** The port of a shared gateway that takes the cluster ID in a PROXY v2 header. */
export interface ProxyProtocolTarget extends HostPort {
  readonly clusterId: string;
  /** Type of the TLV with the cluster ID. */
  readonly tlvType: number;
}

/** `host:port` as it is written in URLs. */
export function hostPort({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether it is a host name or an address, without scheme and port. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i.test(text));
}
