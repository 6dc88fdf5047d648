import { HetznerRegion } from './hetzner-region';
import { HetznerServers } from './hetzner-settings';

/** A key of a ConfigMap or Secret. */
export interface WorkerFileSource {
  /** Name of the object, beside the cluster. */
  readonly name: string;
  /** The key. */
  readonly key: string;
}

/** A file on workers. Exactly one of `content`, `secret` and `configMap` says what is in it. */
export interface WorkerFile {
  /** Absolute path. */
  readonly path: string;
  /**
   * What is in it.
   * @default - from `secret` or `configMap`
   */
  readonly content?: string;
  /**
   * A Secret that holds the content.
   * @default - from `content` or `configMap`
   */
  readonly secret?: WorkerFileSource;
  /**
   * A ConfigMap that holds the content.
   * @default - from `content` or `secret`
   */
  readonly configMap?: WorkerFileSource;
  /**
   * Mode in octal digits.
   * @default - `0600` from a Secret, else `0644`
   */
  readonly permissions?: string;
}

/** A pool of equal workers that run k0s. */
export interface HetznerWorkerPoolProps extends HetznerServers {
  /**
   * Version of k0s; not newer than the control plane's. Upgrade the control plane first, then the workers.
   * @default - that of the cluster
   */
  readonly k0sVersion?: string;
  /**
   * Where the workers are.
   * @default - the region of the cluster
   */
  readonly region?: HetznerRegion;
  /**
   * Names of SSH keys that open these workers, in place of the cluster's.
   * @default - those of the cluster
   */
  readonly sshKeyNames?: string[];
  /**
   * Further arguments of `k0s install worker`. Those for a cloud controller manager are always there.
   * @default - none
   */
  readonly args?: string[];
  /**
   * Files that are written before k0s is installed.
   * @default - none
   */
  readonly files?: WorkerFile[];
  /**
   * Commands that run before k0s is downloaded.
   * @default - none
   */
  readonly preK0sCommands?: string[];
  /**
   * Commands that run after k0s was started.
   * @default - none
   */
  readonly postK0sCommands?: string[];
  /**
   * Whether servers have a public IPv4 address. Without any public address they need another way to the control
   * plane and to the images.
   * @default true
   */
  readonly publicIpv4?: boolean;
  /**
   * Whether servers have a public IPv6 address.
   * @default true
   */
  readonly publicIpv6?: boolean;
}
