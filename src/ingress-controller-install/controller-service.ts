import { ExternalTrafficPolicy } from '../shared-gateway/gateway-props';
import { validateAnnotations } from '../validation/annotations';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { validateIpAddress, validateNetwork } from '../validation/ip-network';
import { validateLabelKey } from '../validation/labels';
import { Checks, listOf, oneOf, optional, struct } from '../validation/props';

/** For a Service that a load balancer is made for. */
export interface LoadBalancerServiceProps {
  /**
   * Annotations of the Service, e.g. those that the cloud's load balancer is configured by.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
  /**
   * Address that the load balancer is to have: `spec.loadBalancerIP`, which some clouds ignore in favour of an annotation.
   * @default - the cloud chooses
   */
  readonly loadBalancerIp?: string;
  /**
   * What is to make the load balancer: `spec.loadBalancerClass`, e.g. `service.k8s.aws/nlb`. It cannot be changed later.
   * @default - the cluster's usual one
   */
  readonly loadBalancerClass?: string;
  /**
   * Networks that may connect, in CIDR notation. They are checked by the load balancer, and by nodes where that leaves
   * client addresses as they are.
   * @default - everyone
   */
  readonly sourceRanges?: string[];
  /**
   * How nodes pass connections on to the controller's pods. With LOCAL these see the addresses of clients, where the load
   * balancer leaves them as they are.
   * @default ExternalTrafficPolicy.LOCAL
   */
  readonly externalTrafficPolicy?: ExternalTrafficPolicy;
}

/** For a Service inside of the cluster. */
export interface ClusterIpServiceProps {
  /**
   * Annotations of the Service, e.g. those by which a load balancer finds its pods.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

const LOAD_BALANCER: Checks<LoadBalancerServiceProps> = {
  annotations: optional(validateAnnotations),
  loadBalancerIp: optional(validateIpAddress),
  loadBalancerClass: optional(validateLabelKey),
  sourceRanges: optional(listOf(validateNetwork)),
  externalTrafficPolicy: optional(oneOf(ExternalTrafficPolicy)),
};

const CLUSTER_IP: Checks<ClusterIpServiceProps> = { annotations: optional(validateAnnotations) };

/** The Service of an ingress controller. */
export class ControllerService {
  /** A Service that the cloud makes a load balancer for. Its address is the shared one. */
  public static loadBalancer(props: LoadBalancerServiceProps = {}): ControllerService {
    struct(LOAD_BALANCER)('service', props);
    requireRanges(props);
    return new ControllerService('LoadBalancer', {
      ...props,
      externalTrafficPolicy: props.externalTrafficPolicy ?? ExternalTrafficPolicy.LOCAL,
    });
  }

  /** A Service inside of the cluster, for a load balancer that exists and reaches pods or Services by itself. */
  public static clusterIp(props: ClusterIpServiceProps = {}): ControllerService {
    struct(CLUSTER_IP)('service', props);
    return new ControllerService('ClusterIP', props);
  }

  private constructor(
    /** @internal */
    public readonly _type: 'LoadBalancer' | 'ClusterIP',
    /** @internal */
    public readonly _props: LoadBalancerServiceProps,
  ) {}
}

nameFactories(ControllerService);

function requireRanges({ sourceRanges }: LoadBalancerServiceProps): void {
  if (sourceRanges?.length === 0) {
    throw invalidInput('service.sourceRanges', sourceRanges, 'is empty, which Kubernetes takes for everyone', 'Leave it out to allow everyone, or list networks');
  }
}
