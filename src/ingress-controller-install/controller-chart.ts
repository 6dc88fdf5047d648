import { ControllerService } from './controller-service';
import { HelmValues } from './helm-values';
import { ChartFacts } from '../versions/charts';

/** What is asked of an ingress controller, whichever it is. */
export interface InstallSettings {
  /** Version of the chart. */
  readonly chartVersion: string;
  readonly replicas: number;
  readonly service: ControllerService;
  /** Port of the Service that takes TLS connections. */
  readonly publicPort: number;
  /** Networks whose connections start with a PROXY protocol header, in CIDR notation. */
  readonly proxyProtocolTrustedCidrs?: string[];
  /** The values that turn passthrough on, from the controller's class. */
  readonly controllerValues: HelmValues;
}

/** The Helm chart of an ingress controller: where it is, and the names that it has for settings. */
export interface ControllerChart {
  readonly name: string;
  /** URL of its repository: of an index (`https`), or of a folder of an OCI registry (`oci`). */
  readonly repository: string;
  /** What is known of its versions. */
  readonly facts: ChartFacts;
  /**
   * What an operator should know who has the controller take PROXY protocol headers.
   * @default - nothing
   */
  readonly proxyProtocolWarning?: string;
  values(settings: InstallSettings): HelmValues;
}

/**
 * The Service in the names that most charts have for it (`controller.service` of haproxytech/helm-charts,
 * haproxy-ingress/charts, kubernetes/ingress-nginx and nginx/kubernetes-ingress).
 */
export function serviceValues({ _type: type, _props: props }: ControllerService): HelmValues {
  return {
    type,
    annotations: props.annotations,
    externalTrafficPolicy: props.externalTrafficPolicy,
    loadBalancerIP: props.loadBalancerIp,
    loadBalancerClass: props.loadBalancerClass,
    loadBalancerSourceRanges: props.sourceRanges,
  };
}
