import { HetznerRegion } from './hetzner-region';
import { CONTROLLER } from '../../control-plane/control-plane-checks';
import { IngressController } from '../../controllers/ingress-controller';
import { HOSTNAME_PATTERN } from '../../model/exposure-checks';
import { HostnamePattern } from '../../model/hostname-pattern';
import { validateAddressOrName } from '../../validation/address';
import { nameFactories } from '../../validation/factories';
import { validateNetwork } from '../../validation/ip-network';
import { validatePort } from '../../validation/name';
import { Checks, checkProps, listOf, oneOf, optional, struct } from '../../validation/props';
import { required } from '../../validation/required';
import { validateText } from '../../validation/text';

/** A control plane behind the shared address of the management cluster. */
export interface HetznerIngressAccess {
  /** What routes at the shared address. */
  readonly controller: IngressController;
  /**
   * Public DNS name of the API server, without a port.
   * @default - from `domain` and `hostnamePattern`
   */
  readonly hostname?: string;
  /**
   * Public DNS name of the konnectivity server, without a port.
   * @default - from `domain` and `hostnamePattern`
   */
  readonly konnectivityHostname?: string;
  /**
   * Domain of all clusters; hosts that are not given are made of it.
   * @default - none; then both hosts must be given
   */
  readonly domain?: string;
  /**
   * How hosts are made of the domain.
   * @default HostnamePattern.steward()
   */
  readonly hostnamePattern?: HostnamePattern;
  /**
   * Public port of both.
   * @default 443
   */
  readonly port?: number;
  /**
   * Source networks that may connect, in CIDR notation.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Further names and addresses for the API server's certificate.
   * @default - the hosts and the in-cluster names alone
   */
  readonly certSans?: string[];
}

/** A control plane with a Hetzner load balancer of its own. */
export interface HetznerLoadBalancerAccess {
  /**
   * Location of the load balancer.
   * @default - the region of the cluster
   */
  readonly location?: HetznerRegion;
}

/** A control plane on ports of the management cluster's nodes. */
export interface HetznerNodePortAccess {
  /** IP address or DNS name of the management cluster's nodes, as workers reach them. */
  readonly host: string;
}

const INGRESS: Checks<HetznerIngressAccess> = {
  controller: CONTROLLER,
  hostname: optional(validateText),
  konnectivityHostname: optional(validateText),
  domain: optional(validateText),
  hostnamePattern: optional(HOSTNAME_PATTERN),
  port: optional(validatePort),
  allowedCidrs: optional(listOf(validateNetwork)),
  certSans: optional(listOf(validateText)),
};

/** @internal How a control plane is reached, with what belongs to it. */
export type HetznerAccessMode =
  | ({ readonly mode: 'ingress' } & HetznerIngressAccess)
  | ({ readonly mode: 'load-balancer' } & HetznerLoadBalancerAccess)
  | ({ readonly mode: 'node-port' } & HetznerNodePortAccess);

/** How the workers of a cluster on Hetzner reach its hosted control plane. */
export class HetznerAccess {
  /** By host names through the shared address of the management cluster. No further cost; needs DNS. */
  public static ingress(props: HetznerIngressAccess): HetznerAccess {
    checkProps('access', required('access', props, 'Give controller and domain'), INGRESS);
    return new HetznerAccess({ mode: 'ingress', ...props });
  }

  /**
   * Through a Hetzner load balancer for this cluster alone. Costs about 5 EUR a month. Its address is known to the
   * operators alone, so there is no endpoint, and there are no values for CNI and cloud controller manager.
   */
  public static loadBalancer(props: HetznerLoadBalancerAccess = {}): HetznerAccess {
    struct<HetznerLoadBalancerAccess>({ location: optional(oneOf(HetznerRegion)) })('access', props);
    return new HetznerAccess({ mode: 'load-balancer', ...props });
  }

  /** Through ports of the management cluster's nodes, which each cluster must have for itself. No further cost. */
  public static nodePort(props: HetznerNodePortAccess): HetznerAccess {
    checkProps('access', required('access', props, 'Give host, e.g. { host: "192.0.2.10" }'), { host: validateAddressOrName });
    return new HetznerAccess({ mode: 'node-port', ...props });
  }

  private constructor(
    /** @internal */
    public readonly _mode: HetznerAccessMode,
  ) {}
}

nameFactories(HetznerAccess);
