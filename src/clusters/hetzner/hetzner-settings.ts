import { HetznerAccess } from './hetzner-access';
import { HetznerNetworkZone, HetznerRegion } from './hetzner-region';
import { TenantNetwork } from '../../model/tenant-network';

/** What connects the pods of a k0s cluster. */
export enum K0sNetworkProvider {
  KUBE_ROUTER = 'kuberouter',
  CALICO = 'calico',
  /** A CNI that you install. */
  CUSTOM = 'custom',
}

/** A private network for the workers. */
export interface HetznerPrivateNetwork {
  /**
   * The network.
   * @default 10.0.0.0/16
   */
  readonly cidr?: string;
  /**
   * The part of it that workers are in.
   * @default 10.0.0.0/24
   */
  readonly subnetCidr?: string;
  /**
   * The zone that it lies in.
   * @default - that of the cluster's region
   */
  readonly zone?: HetznerNetworkZone;
}

/** The Secret beside the cluster with the token of the Hetzner Cloud project. */
export interface HetznerTokenSecret {
  /**
   * Name.
   * @default hetzner
   */
  readonly name?: string;
  /**
   * Key.
   * @default hcloud-token
   */
  readonly key?: string;
}

/** The servers of a pool of workers. */
export interface HetznerServers {
  /**
   * How many; `K0rdentConfig` needs one at least.
   * @default 1
   */
  readonly replicas?: number;
  /** Server type, e.g. `cpx22`. */
  readonly type: string;
  /**
   * Name of the image or snapshot.
   * @default ubuntu-24.04
   */
  readonly image?: string;
  /**
   * Placement group that spreads them over hosts; `K0rdentConfig` has none.
   * @default - none
   */
  readonly placementGroup?: string;
}

/** A cluster whose workers are servers of Hetzner Cloud, whichever way it is deployed. */
export interface HetznerClusterSettings {
  /** Version of k0s, e.g. `v1.34.3+k0s.0`. */
  readonly k0sVersion: string;
  /** How workers reach the control plane. */
  readonly access: HetznerAccess;
  /** Where the workers are. */
  readonly region: HetznerRegion;
  /**
   * Names of SSH keys in the Hetzner Cloud project that open the workers. `K0rdentConfig` needs one at least.
   * @default - none
   */
  readonly sshKeyNames?: string[];
  /**
   * The token of the Hetzner Cloud project.
   * @default - the key `hcloud-token` of the Secret `hetzner`
   */
  readonly tokenSecret?: HetznerTokenSecret;
  /**
   * A private network for the workers; `{}` takes every default.
   * @default - none
   */
  readonly privateNetwork?: HetznerPrivateNetwork;
  /**
   * What connects the pods.
   * @default K0sNetworkProvider.CUSTOM
   */
  readonly networkProvider?: K0sNetworkProvider;
  /**
   * Network of the cluster.
   * @default - pods 10.244.0.0/16, services 10.96.0.0/12, domain cluster.local
   */
  readonly network?: TenantNetwork;
}
