import { validateAnnotations } from './annotations';
import { ExternalTrafficPolicy } from '../shared-gateway/gateway-props';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork, ipFamily } from '../validation/ip-network';
import { validateText } from '../validation/text';

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

/** The Service of an ingress controller. */
export class ControllerService {
  /** A Service that the cloud makes a load balancer for. Its address is the shared one. */
  public static loadBalancer(props: LoadBalancerServiceProps = {}): ControllerService {
    validateLoadBalancer(props);
    return new ControllerService('LoadBalancer', {
      ...props,
      externalTrafficPolicy: props.externalTrafficPolicy ?? ExternalTrafficPolicy.LOCAL,
    });
  }

  /** A Service inside of the cluster, for a load balancer that exists and reaches pods or Services by itself. */
  public static clusterIp(props: ClusterIpServiceProps = {}): ControllerService {
    return new ControllerService('ClusterIP', props);
  }

  private constructor(
    /** @internal */
    public readonly _type: 'LoadBalancer' | 'ClusterIP',
    /** @internal */
    public readonly _props: LoadBalancerServiceProps,
  ) {
    validateAnnotations('service.annotations', _props.annotations ?? {});
  }
}

function validateLoadBalancer({ loadBalancerIp, loadBalancerClass, sourceRanges }: LoadBalancerServiceProps): void {
  if (loadBalancerIp !== undefined && !ipFamily(loadBalancerIp)) {
    throw invalidInput('service.loadBalancerIp', loadBalancerIp, 'is not an IP address', 'Give the address, or leave it out for one of the cloud\'s choice');
  }
  if (loadBalancerClass !== undefined && validateText('service.loadBalancerClass', loadBalancerClass) === '') {
    throw invalidInput('service.loadBalancerClass', loadBalancerClass, 'is empty', 'Leave it out for the cluster\'s usual class');
  }
  if (sourceRanges?.length === 0) {
    throw invalidInput('service.sourceRanges', sourceRanges, 'is empty, which Kubernetes takes for everyone', 'Leave it out to allow everyone, or list networks');
  }
  sourceRanges?.forEach((range, i) => IpNetwork.parse(`service.sourceRanges[${i}]`, range));
}
